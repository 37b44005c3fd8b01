import BusProtocol
import TaskTree

extension ReportingMachine {
    /// How long after its welcome a closing session waits for a subscription, in nanoseconds.
    static let subscriptionGrace: Int64 = 100_000_000

    /// Registers a waiter; `next` returns its `finish` when the wait is over.
    ///
    /// With a `limit`, every acknowledgement moves the deadline: it is then as far from that moment
    /// as `deadline` is from `now`, but never after the limit.
    mutating func wait(
        _ id: UInt64,
        isClosing: Bool,
        until deadline: Moment,
        limit: Moment? = nil,
        at now: Moment
    ) {
        if isClosing { isClosed = true }
        // A tick under way does not count: it may be past the task that has changed last.
        let isUnderWay = reports.progress != nil || reports.keyframe?.chunk ?? 0 > 0
        waiters.append(
            Waiter(
                id: id,
                isClosing: isClosing,
                deadline: deadline,
                patience: deadline.nanoseconds - now.nanoseconds,
                lastDeadline: limit ?? deadline,
                number: endings.lastNumber,
                flushed: reports.completed + (isUnderWay ? 2 : 1)
            )
        )
        if link.isReporting { reports.tickDue = now }
        if endings.hasSomething { endings.due = now }
    }

    /// Moves the waiters' deadlines on, because the broker has acknowledged something.
    mutating func extendWaiters(at now: Moment) {
        for position in waiters.indices {
            let waiter = waiters[position]
            let later = min(now.later(by: waiter.patience), waiter.lastDeadline)
            waiters[position].deadline = max(waiter.deadline, later)
        }
    }

    /// What to do for a waiter that was answered or has waited too long; nil if there is none.
    mutating func nextWaiter(at now: Moment) -> Action? {
        guard let position = waiters.firstIndex(where: { now >= $0.deadline }) else {
            return finished.popLast().map { .finish(waiter: $0.id, isDone: $0.isDone) }
        }
        let waiter = waiters.remove(at: position)
        if waiter.isClosing {
            hasLeft = true
            owesGoodbye = link.isWelcomed
        }
        let isDone = waiter.isClosing && isEverythingAcknowledged
        // The caller may end the process as soon as it is told: the spool comes first.
        if let words = takeLastWords(at: now) {
            finished.append((waiter.id, isDone))
            return .spool(words)
        }
        return .finish(waiter: waiter.id, isDone: isDone)
    }

    var isEverythingAcknowledged: Bool { endings.isAllAcknowledged && endings.dropped == 0 }

    /// Until when a closing session waits for a subscription; nil if it does not.
    func graceEnd(of waiter: Waiter) -> Moment? {
        guard waiter.isClosing, waiter.stage == .flushing, !link.isSubscribed else { return nil }
        return link.welcomedAt?.later(by: Self.subscriptionGrace)
    }

    /// Whether `nextQuestion` has something to do for a waiter.
    func waiterCanMove(_ waiter: Waiter, at now: Moment) -> Bool {
        guard link.isWelcomed else { return false }
        switch waiter.stage {
        case .flushing: return isFlushed(for: waiter, at: now)
        case .settling: return isAcknowledged(upTo: waiter.number)
        case .asked: return false
        }
    }

    private func isFlushed(for waiter: Waiter, at now: Moment) -> Bool {
        if link.isSubscribed {
            return reports.completed >= waiter.flushed && reports.keyframe == nil
        }
        return graceEnd(of: waiter).map { now >= $0 } ?? false
    }

    /// The sync or goodbye that a waiter is ready to ask the broker.
    mutating func nextQuestion(at now: Moment) -> WireClientFrame.OneOf_Body? {
        for position in waiters.indices {
            if waiters[position].stage == .flushing, isFlushed(for: waiters[position], at: now) {
                waiters[position].stage = .settling
            }
            guard waiters[position].stage == .settling,
                isAcknowledged(upTo: waiters[position].number)
            else { continue }
            waiters[position].stage = .asked
            let waiter = waiters[position]
            if waiter.isClosing { return goodbye }
            var sync = WireSync()
            sync.request = waiter.id
            sync.sequence = reports.lastSent
            return .sync(sync)
        }
        return nil
    }

    /// The goodbye of a session whose `close` was not answered in time; nil if none is owed.
    mutating func lastGoodbye() -> WireClientFrame? {
        guard owesGoodbye else { return nil }
        owesGoodbye = false
        return frame(goodbye)
    }

    private var goodbye: WireClientFrame.OneOf_Body {
        var goodbye = WireGoodbye()
        goodbye.sequence = reports.lastSent
        return .goodbye(goodbye)
    }

    /// The question of a waiter could not be sent: it is asked again.
    mutating func notAsked(_ isAsker: (Waiter) -> Bool) {
        guard let position = waiters.firstIndex(where: { $0.stage == .asked && isAsker($0) }) else {
            return
        }
        waiters[position].stage = .settling
    }

    mutating func syncReached(_ request: UInt64) {
        guard let position = waiters.firstIndex(where: { $0.id == request && !$0.isClosing })
        else { return }
        finished.append((waiters.remove(at: position).id, true))
    }

    mutating func goodbyeAccepted() {
        guard isClosed else { return }
        for waiter in waiters {
            finished.append((waiter.id, isEverythingAcknowledged))
        }
        waiters = []
        hasLeft = true
        endConversation()
    }
}
