import BusProtocol
import Synchronization
import TaskTree
import ZeroMQ

/// Waiting until the broker has everything.
extension Reporter {
    /// How long a tcp endpoint that has never answered is waited for, in nanoseconds.
    private static let unknownBrokerPatience: Int64 = 1_000_000_000
    /// Milliseconds for which a broker may acknowledge nothing at the end of a process.
    private static let exitPatience = 100
    /// Milliseconds for which one that goes on acknowledging is waited for then.
    private static let exitLimit = 10_000
    /// Milliseconds that writing into the spool may take at the end of a process.
    private static let spoolPatience = 1_000
    /// Milliseconds of one wait at the end of a process.
    private static let slice = 25

    /// Waits for `sync` or `close`; at once false, or for a close whether nothing is missing, where
    /// there is no broker.
    func wait(isClosing: Bool, nanoseconds: Int64) async -> Bool {
        guard isAtHome else { return false }
        startThreadIfNeeded()
        let isListening = isBrokerListening()
        let id = state.withLock { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = startWaiting(
                    id,
                    { continuation.resume(returning: $0) },
                    isClosing: isClosing,
                    nanoseconds: nanoseconds,
                    isListening: isListening
                )
                if let answer { continuation.resume(returning: answer) }
                // Cancelled before this line, the handler below had nobody to tell.
                if Task.isCancelled { finish(id, false) }
            }
        } onCancel: {
            // A session that closes goes on closing.
            finish(id, false)
        }
    }

    /// Registers somebody who waits; returns the answer where there is nothing to wait for.
    func startWaiting(
        _ id: UInt64,
        _ tell: @escaping @Sendable (Bool) -> Void,
        isClosing: Bool,
        nanoseconds: Int64,
        limit: Int64? = nil,
        isListening: Bool?
    ) -> Bool? {
        let now = clocks.present()
        let (answer, wakeUp) = state.withLock { state -> (Bool?, (@Sendable () -> Void)?) in
            let isComplete = state.machine.isEverythingAcknowledged
            // A client that was let go of is closing already; the end of the process joins in, also
            // while the thread writes down what no broker has acknowledged.
            let canWait = !state.machine.isClosed || isClosing
            guard case .running = state.thread, canWait else {
                // No thread runs that sends: the broker has nothing of what the tasks have said.
                let isUnsaid = !isClosing && !state.machine.isClosed && state.machine.lastIndex > 0
                if isClosing { state.machine.isClosed = true }
                return (isComplete && !isUnsaid, nil)
            }
            // It has left a moment ago, and its thread has not ended yet.
            if isClosing, state.machine.hasLeft, isComplete { return (true, nil) }
            var patience = max(0, nanoseconds)
            if !state.machine.link.hasEverBeenWelcomed {
                switch isListening {
                case true?: break
                case nil: patience = min(patience, Self.unknownBrokerPatience)
                case false? where isClosing && !isComplete:
                    // What has ended goes into the spool.
                    patience = 0
                case false?:
                    if isClosing {
                        state.machine.isClosed = true
                        state.machine.hasLeft = true
                        _ = state.machine.takeWake(at: now)
                        return (isComplete, state.wakeUp)
                    }
                    return (state.machine.lastIndex == 0, nil)
                }
            }
            state.waiters[id] = tell
            state.machine.wait(
                id,
                isClosing: isClosing,
                until: now.later(by: patience),
                limit: patience > 0 ? limit.map { now.later(by: $0) } : nil,
                at: now
            )
            _ = state.machine.takeWake(at: now)
            return (nil, state.wakeUp)
        }
        wakeUp?()
        return answer
    }

    /// Whether somebody accepts connections; nil where that cannot be found out without waiting.
    func isBrokerListening() -> Bool? {
        guard let endpoint else { return false }
        guard let path = endpoint.controlPath else { return nil }
        return ipcListenerState(path: path) == .listening
    }

    /// The client is gone: if nothing of it runs any more, the thread is not needed either.
    func release() {
        guard isAtHome else { return }
        let isIdle = state.withLock { state in
            guard case .running = state.thread, !state.machine.isClosed else { return false }
            return state.machine.endings.kept == state.machine.tasks.count
        }
        guard isIdle else { return }
        _ = startWaiting(
            state.withLock { $0.nextID() },
            { _ in },
            isClosing: true,
            nanoseconds: 5_000_000_000,
            isListening: isBrokerListening()
        )
    }

    /// Gives what is left a last chance while the process ends.
    ///
    /// Where a broker listens: as long as it acknowledges something every 100 ms, 10 s at most; where
    /// none does, nothing. Being welcomed makes no difference: a process that lives for some
    /// milliseconds has a connection that is still under way, and a welcome, its endings and their
    /// journal take longer than 10 ms. What no broker has acknowledged by then goes into the spool,
    /// which takes some milliseconds; a machine that has no time for it may take a second.
    func flushAtExit() {
        guard isAtHome else { return }
        let isListening = isConnected || isBrokerListening() == true
        let hasLastWords =
            endpoint?.spoolPath != nil
            && state.withLock { !$0.machine.endings.isAllAcknowledged }
        guard isListening || hasLastWords else { return }
        // Where no descriptor is left it looks after each slice instead.
        let wakeUp = try? WakeUp()
        isExiting.store(true, ordering: .releasing)
        let (patience, limit) = isListening ? (Self.exitPatience, Self.exitLimit) : (0, 0)
        let answer = startWaiting(
            state.withLock { $0.nextID() },
            { _ in wakeUp?.signal() },
            isClosing: true,
            nanoseconds: Int64(patience) * 1_000_000,
            limit: Int64(limit) * 1_000_000,
            isListening: true
        )
        guard answer == nil else { return }
        // In slices: a process that is stopped in the middle of this would else find its time used
        // up when it goes on, and end before the other thread has had its turn.
        var items = wakeUp.map { [PollItem.descriptor($0.descriptor)] } ?? []
        for _ in 0..<(hasLastWords ? limit + Self.spoolPatience : patience) / Self.slice {
            // An error is no answer either.
            if let ready = try? poll(&items, timeout: Self.slice), ready > 0 { return }
            if wakeUp == nil, state.withLock({ $0.waiters.isEmpty }) { return }
        }
    }
}
