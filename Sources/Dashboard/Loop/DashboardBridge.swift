import DashboardCore
import ProgressBus
import Synchronization
import TaskTree
import ZeroMQ

/// The link between the loop and the bus, which holds pictures and answers for the loop.
///
/// It holds at most one picture, as the loop asks for the next one after drawing it, and one answer
/// for each question under way.
final class DashboardBridge: Sendable {
    /// What has come for the loop.
    struct Contents {
        var update: ViewportUpdate?
        var answers: [DashboardEvent] = []
        /// Set when the bus can no longer be followed: the error, or `nil` if the follower was
        /// closed.
        var end: FollowError??
        /// The program wants the dashboard closed, now or once no person uses it.
        var closing: Closing?
    }

    enum Closing { case now, whenUnused }

    private struct State {
        var contents = Contents()
        /// The task that delivers pictures.
        var pictures: Task<Void, Never>?
        /// Whether the loop wants the next picture; until then `waiter` holds up the delivery.
        var isPictureAwaited = true
        var waiter: CheckedContinuation<Void, Never>?
        /// Questions under way.
        var questions: [Int: Task<Void, Never>] = [:]
    }

    /// The most questions under way at a time; further ones fail at once.
    private static let mostQuestions = 32
    /// How long an answer may take: the broker may be on another machine, and busy.
    private static let patience = Duration.seconds(10)

    private let follower: BusFollower
    private let shown = ViewportSubscription([])
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    init(follower: BusFollower) throws(ZeroMQError) {
        self.follower = follower
        wakeUp = try WakeUp()
    }

    // MARK: What has come

    /// Readable when there is something to take.
    var descriptor: Int32 { wakeUp.descriptor }

    func take() -> Contents {
        wakeUp.drain()
        return state.withLock { state in
            defer { state.contents = Contents() }
            return state.contents
        }
    }

    /// Asks the dashboard to close; any thread may call this.
    func close(_ closing: Closing) { put { $0.contents.closing = closing } }

    private func put(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        wakeUp.signal()
    }

    // MARK: Pictures

    /// Begins to deliver pictures.
    func begin() {
        let sequence = follower.viewport(shown)
        let pictures = Task {
            var iterator = sequence.makeAsyncIterator()
            do throws(FollowError) {
                // No picture is made before the loop wants it.
                while let update = try await iterator.next() {
                    put { ($0.contents.update, $0.isPictureAwaited) = (update, false) }
                    await pictureIsAwaited()
                }
                put { $0.contents.end = .some(nil) }
            } catch {
                put { $0.contents.end = .some(error) }
            }
        }
        state.withLock { $0.pictures = pictures }
    }

    /// Cancels everything that is under way.
    func end() {
        let tasks = state.withLock { [$0.pictures].compactMap(\.self) + $0.questions.values }
        for task in tasks { task.cancel() }
        awaitPicture()
    }

    /// Returns when the loop wants the next picture, or when the bridge ends.
    private func pictureIsAwaited() async {
        await withCheckedContinuation { continuation in
            let isAwaited = state.withLock { state in
                // A delivery that was cancelled does not wait, as nobody would resume it.
                let isAwaited = state.isPictureAwaited || Task.isCancelled
                if !isAwaited { state.waiter = continuation }
                return isAwaited
            }
            if isAwaited { continuation.resume() }
        }
    }

    func awaitPicture() {
        let waiter = state.withLock { state in
            state.isPictureAwaited = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    // MARK: Questions

    /// Carries out an action that concerns the bus.
    func perform(_ action: DashboardAction) {
        switch action {
        case .follow(let parts): shown.show(parts)
        case .refresh: shown.refresh()
        case .perform(let number, let request, let task):
            ask(number, { .answered(request: number, $0) }) { follower throws(FollowError) in
                try await follower.perform(request, on: .id(task))
            }
        case .find(let number, let task):
            ask(number, { .found(request: number, $0) }) { follower throws(FollowError) in
                let matches = try await follower.locate(task, timeout: Self.patience)
                // One of several would be a guess.
                return matches.count == 1 ? matches[0] : nil
            }
        case .search(let number, let search):
            ask(number, { .searched(request: number, $0) }) { follower throws(FollowError) in
                try await follower.search(search, timeout: Self.patience)
            }
        case .redraw, .copy, .tell, .leave: break
        }
    }

    private func ask<Answer: Sendable>(
        _ number: Int,
        _ event: @escaping @Sendable (Result<Answer, FollowError>) -> DashboardEvent,
        _ question: @escaping @Sendable (BusFollower) async throws(FollowError) -> Answer
    ) {
        let isAsked = state.withLock { state in
            guard state.questions.count < Self.mostQuestions else { return false }
            state.questions[number] = Task {
                let answer: Result<Answer, FollowError>
                do throws(FollowError) {
                    answer = .success(try await question(follower))
                } catch {
                    answer = .failure(error)
                }
                put {
                    $0.contents.answers.append(event(answer))
                    $0.questions[number] = nil
                }
            }
            return true
        }
        if !isAsked {
            let words = "too much is asked at once; try again in a moment"
            put { $0.contents.answers.append(event(.failure(FollowError(.busy, words)))) }
        }
    }
}
