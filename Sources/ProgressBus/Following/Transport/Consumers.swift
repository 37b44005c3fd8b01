import TaskTree

/// The consumers that wait for values, on the follower's thread.
struct Consumers {
    private var waiting: [UInt64: CheckedContinuation<Delivery, Never>] = [:]
    private var asking: [UInt64: CheckedContinuation<InquiryResult, Never>] = [:]
    private(set) var isStopped = false

    mutating func take(_ command: FollowerCommand, machine: inout FollowerMachine) {
        switch command {
        case .follow(let id, let interest):
            machine.follow(id, interest, at: .present)
        case .unfollow(let id):
            machine.unfollow(id)
            waiting.removeValue(forKey: id)?.resume(returning: .finished)
        case .show(let id, let parts):
            machine.show(id, parts)
        case .refresh(let id):
            machine.refresh(id, at: .present)
        case .next(let id, let continuation):
            // Two waiting in one iterator is a misuse; the first is told that this was the end.
            waiting.updateValue(continuation, forKey: id)?.resume(returning: .finished)
        case .stopWaiting(let id):
            waiting.removeValue(forKey: id)?.resume(returning: .finished)
        case .giveUp(let id):
            waiting.removeValue(forKey: id)?.resume(returning: .failed(machine.silence))
        case .ask(let id, let question, let seconds, let continuation):
            asking[id] = continuation
            let deadline = seconds.map { Moment.present.advanced(bySeconds: $0) }
            machine.ask(id, question, deadline: deadline)
        case .withdraw(let id):
            machine.withdraw(id)
            asking.removeValue(forKey: id)?.resume(returning: .failed(.closed))
        case .stop:
            isStopped = true
        }
    }

    /// Hands new values to those that wait.
    mutating func deliver(from machine: inout FollowerMachine, at now: Moment) {
        for (id, continuation) in waiting {
            guard !machine.isOnce || machine.isOnceComplete || machine.link.fatal != nil,
                let delivery = machine.nextValue(for: id, at: now)
            else { continue }
            waiting[id] = nil
            continuation.resume(returning: delivery)
        }
    }

    mutating func answer(_ id: UInt64, _ result: InquiryResult) {
        asking.removeValue(forKey: id)?.resume(returning: result)
    }

    mutating func failAll(_ error: FollowError) {
        let isClosed = error.code == .closed
        for continuation in waiting.values {
            continuation.resume(returning: isClosed ? .finished : .failed(error))
        }
        for continuation in asking.values {
            continuation.resume(returning: .failed(error))
        }
        waiting = [:]
        asking = [:]
    }
}
