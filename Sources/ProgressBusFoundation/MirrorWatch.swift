import Dispatch
import ProgressBus
import Synchronization

/// Looks at all mirrored objects of the process, one after the other, ten times a second; does
/// nothing while there are none.
///
/// The rounds are on a serial queue, not on threads that do the work and not on Swift's cooperative
/// threads, because a caller's lock may block a look.
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

    /// Adds a mirror to the rounds; the first mirror starts them at once.
    func add(_ mirror: MirroredProgress) {
        let isStarting = state.withLock { state in
            state.mirrors.append(mirror)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isStarting { queue.async { [self] in round() } }
    }

    /// Looks at the mirrors of one client now, takes their state as final, and returns then.
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
