import Dispatch
import ProgressBus
import Synchronization

/// Looks at all mirrored objects of the process, one after the other, ten times a second; does
/// nothing while there are none.
///
/// The looks are on a serial queue: never on a thread of whoever works, and never on one of Swift's
/// cooperative threads, as a caller's lock may make them wait.
final class MirrorWatch: Sendable {
    static let shared = MirrorWatch()

    private static let interval = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var mirrors: [MirroredProgress] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "progressbus.mirrors")

    private init() {}

    /// Looks from now on, for the first time at once.
    func add(_ mirror: MirroredProgress) {
        let isStarting = state.withLock { state in
            state.mirrors.append(mirror)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isStarting { queue.async { [self] in round() } }
    }

    /// Looks at those of one client, which mean what they say, and returns then.
    func settle(_ session: SessionID) {
        queue.sync { look { $0.task.id.session == session ? $0.look(isSettled: true) : true } }
    }

    private func round() {
        look { $0.look() }
        let goesOn = state.withLock { state in
            state.isRunning = !state.mirrors.isEmpty
            return state.isRunning
        }
        if goesOn { queue.asyncAfter(deadline: .now() + Self.interval) { [self] in round() } }
    }

    private func look(_ hasMore: (MirroredProgress) -> Bool) {
        let ended = state.withLock { $0.mirrors }.filter { !hasMore($0) }
        guard !ended.isEmpty else { return }
        let identities = Set(ended.map(ObjectIdentifier.init))
        state.withLock { state in
            state.mirrors.removeAll { identities.contains(ObjectIdentifier($0)) }
        }
    }
}
