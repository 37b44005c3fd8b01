/// What one broker has seen of one live task over time: display fraction, rate, stall.
///
/// Not part of the bit-for-bit promise of the tree: it depends on when what was seen. Costs O(1)
/// per call.
package struct TaskObservation: Sendable {
    package private(set) var begun: Moment
    /// When the attempt was seen to have ended; `nil` while it has not.
    package private(set) var ended: Moment?
    package private(set) var lastAdvance: Moment
    /// What the total was before it last grew in this attempt.
    package private(set) var totalBefore: Int64?

    private var state = TaskState.waiting
    /// Active seconds up to `activeSince`, or altogether while that is `nil`.
    private var activeBefore = 0.0
    private var activeSince: Moment?
    private var activeAtAdvance = 0.0
    private var advances = 0
    private var usualGap: Double?
    private var completed: Int64 = 0
    private var total: Int64?
    private var drawn = EvenPace()
    private var units: RateEstimator?
    private var timeLeft: TimeLeft?
    /// The child that will take longest, as far as is known.
    private var lastChild: LastChild?
    /// The owner's clock has been read, but no amounts since.
    private var awaitsAmounts = false

    /// Begins to watch a task that is first seen now.
    package init(at now: Moment) {
        begun = now
        lastAdvance = now
    }

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
        lastAdvance = now.advanced(bySeconds: -min(Self.sound(sinceAdvance), elapsed))
        activeBefore = active
        if activeSince != nil { activeSince = now }
        activeAtAdvance = max(0, active - now.seconds(since: lastAdvance))
        if units == nil {
            awaitsAmounts = true
        } else {
            units?.restore(time: active, value: Double(completed))
            if let load = timeLeft?.load { timeLeft = TimeLeft(restored: active, load: load) }
        }
    }

    /// The task's numbers or state are these now.
    ///
    /// `advanced` says whether completed, the detail or a child advanced; the first call of an
    /// attempt is never an advance.
    package mutating func observe(
        completed: Int64,
        total: Int64?,
        fraction: Double,
        load: Workload,
        state: TaskState,
        advanced: Bool,
        at now: Moment
    ) {
        if self.state == .waiting, state != .waiting, units == nil, !awaitsAmounts {
            begun = now
            lastAdvance = now
        }
        change(to: state, at: now)
        let time = active(at: now)
        if let old = self.total, let total, total > old { totalBefore = old }
        let isFirst = units == nil
        if isFirst {
            units = RateEstimator(time: time, value: Double(completed))
            timeLeft = TimeLeft(time: time, load: load)
            if awaitsAmounts {
                units?.restore(time: time, value: Double(completed))
                timeLeft = TimeLeft(restored: time, load: load)
                awaitsAmounts = false
            }
        } else {
            units?.observe(time: time, value: Double(completed))
            let last = secondsOfLastChild(at: now)
            timeLeft?.observe(load, at: time, lastChild: last)
            if advanced { noteAdvance(at: now, active: time) }
        }
        self.completed = completed
        self.total = total
        let reported = fraction.isFinite ? max(0, fraction) : 0
        drawn.move(reported: reported, secondsLeft: secondsLeft(at: now), at: time)
    }

    /// A child says how long it takes yet; `nil` if it has ended or does not know.
    ///
    /// Only the one that takes longest is kept. When that one ends earlier than it said, another
    /// takes its place as soon as it is heard of again.
    package mutating func noteChild(_ child: TaskID, secondsLeft: Double?, at now: Moment) {
        let isKnown = lastChild?.id == child
        guard let secondsLeft else {
            if isKnown { lastChild = nil }
            return
        }
        let end = now.advanced(bySeconds: min(secondsLeft, Self.longest))
        if isKnown || lastChild.map({ $0.end < end }) ?? true {
            lastChild = LastChild(id: child, end: end)
        }
    }

    /// Another attempt begins: nothing of the former one is evidence for it.
    package mutating func beginAttempt(at now: Moment) {
        self = TaskObservation(at: now)
    }

    /// Whoever does the task is heard of again: that nothing advanced meanwhile says nothing.
    package mutating func endSilence(at now: Moment) {
        activeAtAdvance = active(at: now)
    }

    /// The fraction to draw: from 0 to 1, at most 0.99 before success, never backwards.
    ///
    /// Never more than was reported, and where reports run ahead of the time the task takes, less.
    package func displayFraction(at now: Moment) -> Double {
        guard state != .succeeded else { return 1 }
        return drawn.fraction(at: active(at: now))
    }

    /// Units completed per active second; `nil` without evidence.
    package func rate(at now: Moment) -> Double? {
        units?.rate(at: active(at: now))
    }

    /// Seconds of activity until the task is done; `nil` when ended or without evidence.
    package func secondsLeft(at now: Moment) -> Double? {
        guard !state.isEnded, state != .waiting else { return nil }
        return timeLeft?.secondsLeft(
            at: active(at: now),
            lastChild: secondsOfLastChild(at: now)
        )
    }

    private func secondsOfLastChild(at now: Moment) -> Double? {
        guard let lastChild, lastChild.end > now else { return nil }
        return lastChild.end.seconds(since: now)
    }

    /// Seconds of activity so far, pauses left out.
    package func active(at now: Moment) -> Double {
        activeBefore + (activeSince.map { max(0, now.seconds(since: $0)) } ?? 0)
    }

    /// Whether it runs, but has made no advance of its own for too long.
    package func isStalled(expectedGap: Double?, hasTotal: Bool, at now: Moment) -> Bool {
        guard state == .running, let limit = limit(expectedGap, hasTotal) else { return false }
        return active(at: now) - activeAtAdvance >= limit
    }

    /// When it will be stalled if nothing advances until then; `nil`: not by time alone.
    package func nextStallCheck(expectedGap: Double?, hasTotal: Bool) -> Moment? {
        guard state == .running, let activeSince, let limit = limit(expectedGap, hasTotal) else {
            return nil
        }
        // A millisecond more, so that rounding cannot ask for the same moment again.
        let wait = max(0, activeAtAdvance + limit - activeBefore) + 0.001
        return activeSince.advanced(bySeconds: min(wait, Self.longest))
    }

    private func limit(_ expectedGap: Double?, _ hasTotal: Bool) -> Double? {
        StallRule.limit(usualGap: usualGap, expectedGap: expectedGap, hasTotal: hasTotal)
    }

    private mutating func change(to state: TaskState, at now: Moment) {
        let isActive = state == .running || state == .cancelling
        if isActive, activeSince == nil { activeSince = now }
        if !isActive, activeSince != nil {
            activeBefore = active(at: now)
            activeSince = nil
        }
        if state.isEnded {
            if ended == nil { ended = now }
        } else {
            ended = nil
        }
        self.state = state
    }

    private mutating func noteAdvance(at now: Moment, active: Double) {
        let gap = max(0, active - activeAtAdvance)
        advances += 1
        if advances > 1 {
            // A gap twice as long moves what is usual by a quarter of the difference.
            usualGap = usualGap.map { $0 + (gap - $0) / 4 } ?? gap
        }
        lastAdvance = now
        activeAtAdvance = active
    }

    private struct LastChild: Sendable {
        let id: TaskID
        let end: Moment
    }

    private static let longest = 1e9

    private static func sound(_ seconds: Double) -> Double {
        seconds.isFinite ? min(max(0, seconds), longest) : 0
    }
}
