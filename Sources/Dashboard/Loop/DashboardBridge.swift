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

    private let follower: BusFollower
    private let inbox: DashboardInbox
    private let wish = PictureWish([])
    private let tasks = Mutex<[Int: Task<Void, Never>]>([:])
    private let pictures = Mutex<Task<Void, Never>?>(nil)

    init(follower: BusFollower, inbox: DashboardInbox) {
        self.follower = follower
        self.inbox = inbox
    }

    /// Begins to deliver pictures.
    func begin() {
        let (inbox, sequence) = (inbox, follower.pictures(of: wish))
        pictures.withLock { pictures in
            pictures = Task {
                var iterator = sequence.makeAsyncIterator()
                do throws(FollowError) {
                    // Nothing is made of what nobody will see.
                    while let picture = try await iterator.next() {
                        inbox.put(DashboardPicture(picture, madeAt: .present))
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

    func follow(_ parts: Set<PicturePart>) { wish.show(parts) }

    func refresh() { wish.refresh() }

    func perform(_ verb: DashboardVerb, on task: TaskID, request: Int) {
        let follower = follower
        ask(request, tooMany: .answered(request: request, .notAsked)) {
            do throws(FollowError) {
                let answers = try await follower.perform(.init(verb), on: "id:\(task)")
                return .answered(request: request, CommandOutcome(answers))
            } catch {
                return .answered(request: request, CommandOutcome(error))
            }
        }
    }

    func find(_ text: String, request: Int) {
        let follower = follower
        ask(request, tooMany: .found(request: request, nil)) {
            let matches = (try? await follower.locate(text)) ?? []
            // One of several would be a guess.
            let found = matches.count == 1 ? matches.first.map(FoundTask.init) : nil
            return .found(request: request, found)
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

extension BusFollower.Verb {
    init(_ verb: DashboardVerb) {
        self =
            switch verb {
            case .cancel: .cancel
            case .pause: .pause
            case .resume: .resume
            case .dismiss: .dismiss
            }
    }
}

extension CommandOutcome {
    init(_ answers: [BusFollower.Answer]) {
        self.init()
        for answer in answers {
            switch answer.outcome {
            case .accepted: accepted += 1
            case .refused: refused += 1
            case .unsupported: unsupported += 1
            case .gone: gone += 1
            case .noAnswer: noAnswer += 1
            }
        }
        text = answers.lazy.map(\.text).first { !$0.isEmpty } ?? ""
    }

    init(_ error: FollowError) {
        self.init()
        text = error.description
    }

    static var notAsked: CommandOutcome {
        var outcome = CommandOutcome()
        outcome.text = "too much is asked at once; try again in a moment"
        return outcome
    }
}

extension FoundTask {
    init(_ match: BusFollower.Match) {
        self.init(
            task: match.task,
            title: match.title,
            job: match.job,
            slot: match.slot,
            path: match.path,
            places: match.places
        )
    }
}
