import Foundation
import ProgressBus
import Synchronization

/// A `Progress` object and the task that mirrors it.
///
/// Outside of Apple's systems it holds the object until the task has ended or nobody else holds the
/// object. So the last look misses nothing: only the object's own children can still change it.
final class MirroredProgress: Sendable {
    private struct State {
        var machine: MirrorMachine
        #if canImport(Darwin)
        // Objective-C's counts do not say whether a reference is the only one.
        weak var progress: Progress?
        #else
        var progress: Progress?
        #endif

        /// Whether nobody else holds the object.
        mutating func isAbandoned() -> Bool {
            #if canImport(Darwin)
            progress == nil
            #else
            isKnownUniquelyReferenced(&progress)
            #endif
        }
    }

    let task: ProgressTask
    private let access: ProgressAccess?
    private let state: Mutex<State>

    init(
        _ progress: Progress,
        _ task: ProgressTask,
        _ machine: MirrorMachine,
        _ access: ProgressAccess?
    ) {
        self.task = task
        self.access = access
        state = Mutex(State(machine: machine, progress: progress))
    }

    /// Looks at the object and reports what is new; returns whether to look again.
    ///
    /// The first look is on the thread that asked for the mirror. With `isSettled` the object's
    /// state is taken as final.
    @discardableResult
    func look(isFirst: Bool = false, isSettled: Bool = false) -> Bool {
        // Our lock is not held while the object or the caller's lock is in use.
        let (progress, isAbandoned) = state.withLock { state in
            let isAbandoned = state.isAbandoned()
            return (state.progress, isAbandoned)
        }
        guard !task.isEnded else {
            forget()
            return false
        }
        let actions: [MirrorMachine.Action]
        if let progress {
            guard let reading = read(progress, isFirst: isFirst, isAbandoned: isAbandoned) else {
                return true
            }
            let look: MirrorMachine.Look = isAbandoned ? .last : isSettled ? .settled : .passing
            actions = state.withLock { $0.machine.looked(reading, look) }
        } else {
            actions = state.withLock { $0.machine.vanished() }
        }
        for action in actions { carryOut(action) }
        // The task of a closed client does not end, so the machine's ending counts too.
        guard task.isEnded || state.withLock({ $0.machine.isEnded }) else { return true }
        forget()
        return false
    }

    /// Reads the object; `nil` if `access` has not called its closure.
    private func read(_ progress: Progress, isFirst: Bool, isAbandoned: Bool) -> ProgressReading? {
        guard let access else {
            // Never `.all`: children may outlive all owners of their parent, and still change it.
            return ProgressReading(progress, reach: isAbandoned || isFirst ? .kind : .numbers)
        }
        var reading: ProgressReading?
        access { reading = ProgressReading(progress, reach: .all) }
        return reading
    }

    private func forget() {
        state.withLock { $0.progress = nil }
    }

    private func carryOut(_ action: MirrorMachine.Action) {
        switch action {
        case .count(let unit): task.setUnit(unit)
        case .total(let total?): task.setTotal(Int(total))
        case .total(nil): task.clearTotal()
        case .complete(let amount): task.complete(Int(amount))
        case .pause: task.pause()
        case .resume: task.resume()
        case .offerCancel:
            task.onCancel { [weak self] in
                try self?.ask(if: \.isCancellable, "be cancelled") { $0.cancel() }
            }
        case .offerPause:
            task.onPause { [weak self] in
                try self?.ask(if: \.isPausable, "be paused") { $0.pause() }
            }
            task.onResume { [weak self] in
                try self?.ask(if: \.isPausable, "be paused") { $0.resume() }
            }
        case .succeed: task.succeed()
        case .endCancelled: task.endCancelled()
        case .fail(let reason): task.fail(reason)
        }
    }

    /// Passes a viewer's request on to the object, if the object can do it now.
    private func ask(
        if isAble: (Progress) -> Bool,
        _ what: String,
        _ request: (Progress) -> Void
    ) throws(RequestRefusal) {
        guard let progress = state.withLock({ $0.progress }) else { return }
        var isDone = false
        func attempt() {
            guard isAble(progress) else { return }
            request(progress)
            isDone = true
        }
        if let access { access(attempt) } else { attempt() }
        guard isDone else {
            throw RequestRefusal("Its Progress object cannot \(what) now.")
        }
    }
}
