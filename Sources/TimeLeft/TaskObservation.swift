package import TaskTree

/// What a parent is told of a child's time left after an observation.
///
/// Advances that closely follow each other are taken in together; until then the parent is told
/// nothing.
package enum EstimateUpdate: Sendable {
    case asBefore
    /// The seconds left; `nil` if the task is not under way, or there is less evidence than two
    /// advances give.
    case seconds(Double?)
}

/// What one broker has seen of one live task over time: display fraction, rate, stall.
///
/// Unlike the tree it is no function of the statements alone: it depends on when the broker saw
/// them. Costs O(1) per call.
package struct TaskObservation: Sendable {
    package private(set) var begun: Moment
    /// Active seconds up to `changed`, or altogether while it is not active.
    private var activeBefore = 0.0
    /// Since when it is active, or when it ended; `never` in other states.
    private var changed = Self.never
    package private(set) var completed: Int64 = 0
    /// The total; negative if there is none.
    private var total: Int64 = -1
    /// Empty for most tasks, which just wait: what they report follows from their numbers.
    ///
    /// It begins when the task moves, has children, its owner's clock is read, or a silence ends.
    private var evidence = Boxed<Evidence>()
    private var state = TaskState.waiting
    private var isObserved = false
    /// The owner's clock has been read, but no amounts since.
    private var awaitsAmounts = false

    /// Begins to watch a task that is first seen now.
    package init(at now: Moment) {
        begun = now
    }

    /// When it last advanced, or has begun.
    package var lastAdvance: Moment { evidence.read { $0.lastAdvance } ?? begun }

    /// When the attempt was seen to have ended; `nil` while it has not.
    package var ended: Moment? { state.isEnded && changed != Self.never ? changed : nil }

    /// The fraction that was last reported.
    package var reported: Double { evidence.read { $0.drawn.reported } ?? plainFraction }

    /// What the total was before it last grew in this attempt.
    package var totalBefore: Int64? { evidence.read { $0.totalBefore } ?? nil }

    /// Takes over the owner's clock: seconds since begin, of activity, and since the last advance.
    ///
    /// Negative and nonsensical numbers count as 0. The rate starts from what was done in the
    /// active time.
    package mutating func restore(
        elapsed: Double,
        active: Double,
        sinceAdvance: Double,
        at now: Moment
    ) {
        let elapsed = Self.sound(elapsed)
        let active = min(Self.sound(active), elapsed)
        begun = now.advanced(bySeconds: -elapsed)
        let lastAdvance = now.advanced(bySeconds: -min(Self.sound(sinceAdvance), elapsed))
        activeBefore = active
        if isActive { changed = now }
        awaitsAmounts = !isObserved
        let known = evidence.read { $0.timeLeft.load }
        let (completed, load) = (completed, known?.hasChildren == true ? known ?? load : load)
        let isObserved = isObserved
        changeEvidence {
            $0.lastAdvance = lastAdvance
            $0.activeAtAdvance = max(0, active - now.seconds(since: lastAdvance))
            if isObserved { $0.restore(time: active, completed: completed, load: load) }
        }
    }

    /// The task's numbers or state are these now.
    ///
    /// `advanced` says whether completed, the detail or a child advanced; the first call of an
    /// attempt is never an advance.
    @discardableResult
    package mutating func observe(
        completed: Int64,
        total: Int64?,
        fraction: Double,
        load: Workload,
        state: TaskState,
        advanced: Bool,
        at now: Moment
    ) -> EstimateUpdate {
        if self.state == .waiting, state != .waiting, !isObserved, !awaitsAmounts {
            begun = now
        }
        let isChanged = self.state != state
        if isChanged { change(to: state, at: now) }
        let time = active(at: now)
        let reported = fraction.isFinite ? max(0, fraction) : 0
        guard isObserved else {
            begin(completed, total ?? -1, reported, load, at: time, now: now)
            return .seconds(secondsLeft(at: now))
        }
        guard advanced || !evidence.isEmpty || load != self.load || reported != plainFraction
        else {
            // Without evidence there is nothing to tell.
            return isChanged ? .seconds(nil) : .asBefore
        }
        let before = self.total
        // Before the numbers change: the evidence of a task that has not moved begins with the old
        // ones.
        if evidence.isEmpty { changeEvidence { _ in } }
        self.completed = completed
        self.total = total ?? -1
        var telling = EstimateUpdate.asBefore
        evidence.change { evidence in
            if before >= 0, let total, total > before { evidence.totalBefore = before }
            if advanced { evidence.noteAdvance(at: now, time) }
            if isChanged || evidence.isDue(load, at: time) {
                let taken = evidence.take(completed: completed, load: load, at: time, now: now)
                let outlook = state.isUnderWay ? taken : nil
                evidence.drawn.move(reported: reported, outlook: outlook, at: time)
                telling = .seconds(outlook.flatMap { $0.isOfOneAdvance ? nil : $0.told })
            } else {
                evidence.wait(at: time)
                evidence.drawn.report(reported)
            }
        }
        return telling
    }

    /// This is its amount, but it is too early to observe it: another one later is an advance.
    package mutating func wait(completed: Int64) {
        if !isObserved { self.completed = completed }
    }

    /// Takes a child's own time left; `nil` if the child has ended or does not know.
    ///
    /// Only the child that takes longest is kept. When it ends earlier than it said, another takes
    /// its place as soon as that is heard again.
    package mutating func noteChild(_ child: TaskID, secondsLeft: Double?, at now: Moment) {
        guard isObserved, secondsLeft != nil || !evidence.isEmpty else { return }
        let end = secondsLeft.map { now.advanced(bySeconds: min($0, Self.longest)) }
        changeEvidence { $0.timeLeft.noteChild(child, end: end) }
    }

    /// Another attempt begins: nothing of the former one is evidence for it.
    package mutating func beginAttempt(at now: Moment) {
        self = TaskObservation(at: now)
    }

    /// The owner is no longer silent: that nothing advanced meanwhile is no stall.
    package mutating func endSilence(at now: Moment) {
        let time = active(at: now)
        changeEvidence { $0.activeAtAdvance = time }
    }

    /// The fraction to draw: from 0 to 1, at most 0.99 before success.
    ///
    /// It never exceeds the reported fraction and falls only where that does. Where reports run
    /// ahead of the time that the task takes, it is less.
    package func displayFraction(at now: Moment) -> Double {
        guard state != .succeeded else { return 1 }
        return evidence.read { $0.drawn.fraction(at: active(at: now)) }
            ?? min(plainFraction, DisplayFractionSmoother.most)
    }

    /// Units completed per active second; `nil` without evidence.
    package func rate(at now: Moment) -> Double? {
        readEvidence(now) { $0.units.rate(at: active(at: now)) } ?? nil
    }

    /// Seconds of activity until the task is done; `nil` when ended or without evidence.
    package func secondsLeft(at now: Moment) -> Double? {
        guard state.isUnderWay else { return nil }
        return readEvidence(now) { $0.timeLeft.secondsLeft(at: active(at: now), now: now) } ?? nil
    }

    /// Seconds of activity so far, pauses left out.
    package func active(at now: Moment) -> Double {
        isActive ? activeBefore + max(0, now.seconds(since: changed)) : activeBefore
    }

    /// Whether it runs, but has made no advance of its own for too long.
    package func isStalled(expectedGap: Double?, hasTotal: Bool, at now: Moment) -> Bool {
        guard state == .running, let limit = limit(expectedGap, hasTotal) else { return false }
        return active(at: now) - activeAtAdvance >= limit
    }

    /// Whether it has advanced twice, so that a gap between advances is known.
    package var hasUsualGap: Bool { (evidence.read { $0.usualGap } ?? nil) != nil }

    /// When it will be stalled if nothing advances until then; `nil`: not by time alone.
    package func nextStallCheck(expectedGap: Double?, hasTotal: Bool) -> Moment? {
        guard state == .running, isActive, let limit = limit(expectedGap, hasTotal) else {
            return nil
        }
        // A millisecond more, so that rounding cannot ask for the same moment again.
        let wait = max(0, activeAtAdvance + limit - activeBefore) + 0.001
        return changed.advanced(bySeconds: min(wait, Self.longest))
    }

    private var activeAtAdvance: Double { evidence.read { $0.activeAtAdvance } ?? 0 }

    private func limit(_ expectedGap: Double?, _ hasTotal: Bool) -> Double? {
        StallRule.limit(
            usualGap: evidence.read { $0.usualGap } ?? nil,
            advances: evidence.read { $0.advances } ?? 0,
            workedBefore: evidence.read { $0.workedBefore } ?? nil,
            expectedGap: expectedGap,
            hasTotal: hasTotal
        )
    }

    private var isActive: Bool { state.isActive }

    private mutating func change(to state: TaskState, at now: Moment) {
        if isActive, !state.isActive { activeBefore = active(at: now) }
        // Another ending does not change when it ended.
        let isAsBefore = isActive ? state.isActive : self.state.isEnded && state.isEnded
        if !isAsBefore { changed = state.isActive || state.isEnded ? now : Self.never }
        self.state = state
    }

    private static let longest = 1e9
    private static let never = Moment(nanoseconds: .min)

    private static func sound(_ seconds: Double) -> Double {
        seconds.isFinite ? min(max(0, seconds), longest) : 0
    }
}

// MARK: Evidence

extension TaskObservation {
    /// The first numbers of an attempt.
    private mutating func begin(
        _ completed: Int64,
        _ total: Int64,
        _ reported: Double,
        _ load: Workload,
        at time: Double,
        now: Moment
    ) {
        isObserved = true
        (self.completed, self.total) = (completed, total)
        guard awaitsAmounts || load != self.load || reported != plainFraction else { return }
        var first = Evidence(
            time: time,
            completed: completed,
            load: load,
            reported: reported,
            lastAdvance: lastAdvance,
            activeAtAdvance: activeAtAdvance
        )
        if awaitsAmounts {
            first.restore(time: time, completed: completed, load: load)
            let outlook = state.isUnderWay ? first.timeLeft.outlook(at: time, now: now) : nil
            first.drawn.move(reported: reported, outlook: outlook, at: time)
            awaitsAmounts = false
        }
        evidence.set(first)
    }

    /// The load of a task without children, by its own numbers.
    ///
    /// Only such a task has reports that are taken in later.
    private var load: Workload {
        Workload(done: Double(completed), extent: total < 0 ? nil : Double(total))
    }

    /// The fraction of a task without children, by its own numbers, as the tree computes it.
    private var plainFraction: Double {
        if state == .succeeded || total == 0 { return 1 }
        return total > 0 ? Double(completed) / Double(total) : 0
    }

    /// Changes the evidence, which begins at 0 active seconds if there is none.
    ///
    /// Before its first observation a task counts as not active, unless its owner's clock says
    /// otherwise.
    private mutating func changeEvidence(_ body: (inout Evidence) -> Void) {
        guard evidence.isEmpty else {
            evidence.change(body)
            return
        }
        var first = Evidence(
            time: 0,
            completed: completed,
            load: load,
            reported: plainFraction,
            lastAdvance: begun,
            activeAtAdvance: 0
        )
        body(&first)
        evidence.set(first)
    }

    /// Reads the evidence with all reports taken in.
    private func readEvidence<Part>(_ now: Moment, _ body: (Evidence) -> Part) -> Part? {
        evidence.read { evidence in
            guard evidence.isWaiting else { return body(evidence) }
            return body(evidence.caughtUp(completed: completed, load: load, now: now))
        }
    }
}
