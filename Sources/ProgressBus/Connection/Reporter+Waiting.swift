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
    /// Milliseconds that the end of a process waits at most for a broker that keeps acknowledging.
    private static let exitLimit = 10_000
    /// Milliseconds that writing into the spool may take at the end of a process.
    private static let spoolPatience = 1_000
    /// Milliseconds of one wait at the end of a process.
    private static let slice = 25

    /// Waits for `sync` or `close`; returns whether the broker has everything.
    ///
    /// If no broker listens and none has ever welcomed the session, it does not wait for one:
    /// `sync` returns false if any task was begun, `close` whether every ending has been
    /// acknowledged. It returns false when the calling Swift task is cancelled, and in a forked
    /// child.
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
                // If the cancellation came before this line, `onCancel` below found no waiter.
                if Task.isCancelled { finish(id, false) }
            }
        } onCancel: {
            // A session that closes goes on closing.
            finish(id, false)
        }
    }

    /// Registers a waiter; returns the answer at once if there is nothing to wait for.
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
            // A released client is closing already. The end of the process waits with it, also
            // while the thread writes the spool.
            let canWait = !state.machine.isClosed || isClosing
            guard case .running = state.thread, canWait else {
                // No thread runs that sends: the broker knows nothing of the tasks.
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

    /// Whether a broker accepts connections; nil for tcp, where only a connection would tell.
    func isBrokerListening() -> Bool? {
        guard let endpoint else { return false }
        guard let path = endpoint.controlPath else { return nil }
        return ipcListenerState(path: path) == .listening
    }

    /// Closes the session of a client that was let go of, if all its tasks have ended.
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

    /// Gives the last endings a chance to reach a broker or the spool while the process ends.
    ///
    /// Where a broker listens, it waits as long as the broker acknowledges something every 100 ms,
    /// 10 s at most; over tcp, 100 ms in all. Where none listens, it does not wait for one. Whether
    /// the broker has welcomed the session makes no difference on an ipc endpoint: a process that
    /// lives for some milliseconds has a connection that is still under way, and a welcome, its
    /// endings and their journal take longer than 10 ms. Over tcp only a broker that has welcomed
    /// the session counts as listening. Endings that no broker has acknowledged by then go into the
    /// spool of an ipc endpoint, which takes some milliseconds, on a busy machine up to a second.
    func flushAtExit() {
        guard isAtHome else { return }
        let isListening = isConnected || isBrokerListening() == true
        let hasEndings = state.withLock { !$0.machine.endings.isAllAcknowledged }
        let canSpool = hasEndings && endpoint?.spoolPath != nil
        guard isListening || canSpool else { return }
        // If no descriptor is left, the loop below looks at the waiters after each slice instead.
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
        // In slices: otherwise a process that is stopped during the wait would find its time used
        // up when it goes on, and end before the reporting thread has had its turn.
        var items = wakeUp.map { [PollItem.descriptor($0.descriptor)] } ?? []
        let longest = (hasEndings ? limit : patience) + (canSpool ? Self.spoolPatience : 0)
        for _ in 0..<longest / Self.slice {
            // An error is no answer either.
            if let ready = try? poll(&items, timeout: Self.slice), ready > 0 { return }
            if wakeUp == nil, state.withLock({ $0.waiters.isEmpty }) { return }
        }
    }
}
