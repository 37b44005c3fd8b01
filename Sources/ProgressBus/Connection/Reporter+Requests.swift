import Synchronization
import TaskTree
import ZeroMQ

/// Requests on their way from the broker to the code of the tasks, and back.
extension Reporter {
    /// Lets the handlers answer, on a thread of their own: they may take their time.
    func deliver(_ delivery: RequestDelivery) {
        guard delivery.steps.contains(where: { !$0.handlers.isEmpty }) else {
            carryOut(update { $0.answered(delivery, [:], at: $1) })
            return
        }
        call { [self] in
            let answers = delivery.callHandlers()
            carryOut(update { $0.answered(delivery, answers, at: $1) })
        }
    }

    /// A request from within the process.
    func request(_ verb: TaskRequest, of index: UInt64) {
        guard isAtHome else { return }
        let plan = update { machine, _ in machine.plan(verb, [index], number: 0) }
        if let plan { deliver(plan) }
    }

    func carryOut(_ effects: RequestEffects) {
        for cancel in effects.cancelled { call(cancel) }
        guard !effects.released.isEmpty else { return }
        let now = clocks.present()
        let callers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            var callers: [CheckedContinuation<Void, Never>] = []
            for index in effects.released {
                for caller in state.holders.removeValue(forKey: index)?.values ?? [:].values {
                    callers.append(caller)
                    state.machine.goOn(index, at: now)
                }
            }
            return callers
        }
        for caller in callers { caller.resume() }
    }

    /// Adds a handler; a request that is in force already is delivered to it at once.
    func handle(
        _ verb: TaskRequest,
        of index: UInt64,
        with handler: @escaping RequestHandlers.Handler
    ) {
        guard isAtHome else { return }
        let isDue = update { $0.handle(verb, of: index, with: handler, at: $1) }
        // The broker has its answer to that request already: the handler's refusal changes nothing.
        if isDue { call { try? handler() } }
    }

    /// Returns once the task need not hold any more, or the calling Swift task was cancelled.
    func hold(_ index: UInt64) async {
        guard isAtHome else { return }
        let id = state.withLock { $0.nextID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = clocks.present()
                let isHolding = state.withLock { state in
                    // If `onCancel` below has run already, `Task.isCancelled` says so.
                    guard !Task.isCancelled, state.machine.hold(index, at: now) else {
                        return false
                    }
                    state.holders[index, default: [:]][id] = continuation
                    return true
                }
                if isHolding {
                    update { _, _ in }
                } else {
                    continuation.resume()
                }
            }
        } onCancel: {
            let now = clocks.present()
            let caller = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let caller = state.holders[index]?.removeValue(forKey: id) else { return nil }
                state.machine.goOn(index, at: now)
                return caller
            }
            caller?.resume()
        }
    }

    /// Runs code of the program on a thread of its own, one call after the other.
    private func call(_ body: @escaping @Sendable () -> Void) {
        let isStarting = state.withLock { state in
            state.calls.append(body)
            defer { state.isCalling = true }
            return !state.isCalling
        }
        guard isStarting else { return }
        do throws(ZeroMQError) {
            _ = try startThread(name: "progressbus-h") { [self] in runCalls() }
        } catch {
            // No room for a thread: late is better than never.
            runCalls()
        }
    }

    private func runCalls() {
        while true {
            let calls = state.withLock { state in
                if state.calls.isEmpty { state.isCalling = false }
                defer { state.calls = [] }
                return state.calls
            }
            guard !calls.isEmpty else { return }
            for call in calls { call() }
        }
    }

    /// Says how to cancel the Swift task that runs a task's body.
    func setBody(_ index: UInt64, cancel: @escaping @Sendable () -> Void) {
        guard isAtHome else { return }
        if update({ machine, _ in machine.setBody(index, cancel) }) { cancel() }
    }
}
