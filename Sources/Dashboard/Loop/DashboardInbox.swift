import DashboardCore
import ProgressBus
import Synchronization
import ZeroMQ

/// What others leave for the loop; any thread may put something in.
///
/// Bounded: one picture, as the next is asked for after it was drawn, and as many answers as there
/// are questions under way.
final class DashboardInbox: Sendable {
    /// What was in it.
    struct Contents {
        var update: ViewportUpdate?
        var answers: [DashboardEvent] = []
        /// The bus can no longer be followed: why, or `nil` because the follower was closed.
        var end: FollowError??
        /// Somebody wants the dashboard closed, now or once nobody uses it.
        var closing: Closing?
    }

    enum Closing { case now, whenUnused }

    private struct State {
        var contents = Contents()
        var isAwaited = true
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUp

    init() throws(ZeroMQError) {
        wakeUp = try WakeUp()
    }

    /// Readable when something is in it.
    var descriptor: Int32 { wakeUp.descriptor }

    func put(_ update: ViewportUpdate) {
        state.withLock {
            $0.contents.update = update
            $0.isAwaited = false
        }
        wakeUp.signal()
    }

    func put(_ answer: DashboardEvent) {
        state.withLock { $0.contents.answers.append(answer) }
        wakeUp.signal()
    }

    func end(_ error: FollowError?) {
        state.withLock { $0.contents.end = .some(error) }
        wakeUp.signal()
    }

    func close(_ closing: Closing) {
        state.withLock { $0.contents.closing = closing }
        wakeUp.signal()
    }

    func take() -> Contents {
        wakeUp.drain()
        return state.withLock { state in
            defer { state.contents = Contents() }
            return state.contents
        }
    }

    /// Returns when the picture before was drawn and the time has come for the next.
    func pictureIsAwaited() async {
        await withCheckedContinuation { continuation in
            let isAwaited = state.withLock { state in
                if !state.isAwaited { state.waiter = continuation }
                return state.isAwaited
            }
            if isAwaited { continuation.resume() }
        }
    }

    func awaitPicture() {
        let waiter = state.withLock { state in
            state.isAwaited = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
