import DashboardCore
import ProgressBus
import Synchronization
import TaskTree

/// Between the loop and the bus: pictures come through it, questions go.
///
/// Only the thread of the loop calls it.
final class DashboardBridge: Sendable {
    /// Questions under way at a time; more are answered at once.
    private static let mostQuestions = 32
    /// How long an answer may take: the broker may be on another machine, and busy.
    private static let patience = Duration.seconds(10)

    private let follower: BusFollower
    private let inbox: DashboardInbox
    private let shown = ViewportSubscription([])
    private let tasks = Mutex<[Int: Task<Void, Never>]>([:])
    private let pictures = Mutex<Task<Void, Never>?>(nil)

    init(follower: BusFollower, inbox: DashboardInbox) {
        self.follower = follower
        self.inbox = inbox
    }

    /// Begins to deliver pictures.
    func begin() {
        let (inbox, sequence) = (inbox, follower.viewport(shown))
        pictures.withLock { pictures in
            pictures = Task {
                var iterator = sequence.makeAsyncIterator()
                do throws(FollowError) {
                    // Nothing is made of what nobody will see.
                    while let update = try await iterator.next() {
                        inbox.put(update)
                        await inbox.pictureIsAwaited()
                    }
                    inbox.end(nil)
                } catch {
                    inbox.end(error)
                }
            }
        }
    }

    /// Leaves everything that is under way.
    func end() {
        pictures.withLock { $0?.cancel() }
        inbox.awaitPicture()
        for task in tasks.withLock({ $0.values }) { task.cancel() }
    }

    func follow(_ parts: Set<ViewportPart>) { shown.show(parts) }

    func refresh() { shown.refresh() }

    func perform(_ request: TaskRequest, on task: TaskID, number: Int) {
        let follower = follower
        ask(number, tooMany: .answered(request: number, .failure(.tooMuch))) {
            do throws(FollowError) {
                let answers = try await follower.perform(request, on: .id(task))
                return .answered(request: number, .success(answers))
            } catch {
                return .answered(request: number, .failure(error))
            }
        }
    }

    func find(_ task: TaskSelector, number: Int) {
        let follower = follower
        ask(number, tooMany: .found(request: number, .failure(.tooMuch))) {
            do throws(FollowError) {
                let matches = try await follower.locate(task, timeout: Self.patience)
                // One of several would be a guess.
                let only = matches.count == 1 ? matches[0] : nil
                return .found(request: number, .success(only))
            } catch {
                return .found(request: number, .failure(error))
            }
        }
    }

    func search(_ search: TaskSearch, number: Int) {
        let follower = follower
        ask(number, tooMany: .searched(request: number, .failure(.tooMuch))) {
            do throws(FollowError) {
                let hits = try await follower.search(search, timeout: Self.patience)
                return .searched(request: number, .success(hits))
            } catch {
                return .searched(request: number, .failure(error))
            }
        }
    }

    private func ask(
        _ request: Int,
        tooMany: DashboardEvent,
        _ question: @escaping @Sendable () async -> DashboardEvent
    ) {
        let isAsked = tasks.withLock { tasks in
            guard tasks.count < Self.mostQuestions else { return false }
            tasks[request] = Task {
                let answer = await question()
                self.inbox.put(answer)
                self.tasks.withLock { $0[request] = nil }
            }
            return true
        }
        if !isAsked { inbox.put(tooMany) }
    }
}

extension FollowError {
    fileprivate static let tooMuch = FollowError(
        .busy,
        "too much is asked at once; try again in a moment"
    )
}
