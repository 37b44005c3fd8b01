import TaskTree

/// What tells a task's rate and time left: kept for tasks that have moved since they were first
/// seen, as others tell nothing.
///
/// A task without children is looked at no more often than its work is gathered in blocks (see
/// `PaceEstimator`); what came since is taken in when somebody asks.
struct Evidence: Sendable {
    private static let leastInterval = 0.2
    private static let intervalsPerLife = 256.0

    var lastAdvance: Moment
    /// Active seconds at that time, or when its owner was last heard of again after a silence.
    var activeAtAdvance: Double
    private(set) var units: ShownRate
    /// When it last advanced, if that is not taken in yet.
    private var pending: Double?
    var drawn = DisplayFractionSmoother()
    /// What the total was before it last grew in this attempt.
    var totalBefore: Int64?
    /// Seconds between its advances; `nil` before the second one.
    private(set) var usualGap: Double?
    var timeLeft: TimeLeftEstimator
    private(set) var advances = 0
    /// Active seconds up to its last advance, where those before were not seen.
    private(set) var workedBefore: Double?

    /// Begins at a time of which what is done so far is no evidence.
    init(
        time: Double,
        completed: Int64,
        load: Workload,
        reported: Double,
        lastAdvance: Moment,
        activeAtAdvance: Double
    ) {
        self.lastAdvance = lastAdvance
        self.activeAtAdvance = activeAtAdvance
        units = ShownRate(time: time, value: Double(completed))
        timeLeft = TimeLeftEstimator(time: time, load: load)
        drawn.move(reported: reported, outlook: nil, at: time)
    }

    /// All that is done was done in the time so far.
    mutating func restore(time: Double, completed: Int64, load: Workload) {
        units.restore(time: time, value: Double(completed))
        timeLeft = TimeLeftEstimator(restored: time, load: load)
        pending = nil
        workedBefore = completed > 0 ? activeAtAdvance : nil
    }

    /// Whether it is time to look at the task again; the first advance is always looked at.
    func isDue(_ load: Workload, at time: Double) -> Bool {
        load.hasChildren || usualGap == nil
            || time - timeLeft.time >= max(Self.leastInterval, time / Self.intervalsPerLife)
    }

    /// So much is done now; returns what is expected of the rest from here on.
    @discardableResult
    mutating func take(
        completed: Int64,
        load: Workload,
        at time: Double,
        now: Moment
    ) -> Outlook? {
        units.observe(time: time, value: Double(completed))
        pending = nil
        // With the first child another thing is counted: that is no growth.
        if let extent = load.extent, let before = timeLeft.extent, extent != before,
            timeLeft.load.hasChildren == load.hasChildren
        {
            drawn.grow(by: extent - before, at: time)
        }
        return timeLeft.observe(load, at: time, now: now)
    }

    /// What is done now is taken in later.
    mutating func wait(at time: Double) { pending = time }

    var isWaiting: Bool { pending != nil }

    /// With what is not taken in yet.
    func caughtUp(completed: Int64, load: Workload, now: Moment) -> Evidence {
        guard let pending = pending else { return self }
        var evidence = self
        evidence.take(completed: completed, load: load, at: pending, now: now)
        return evidence
    }

    /// It advances now, which is so many active seconds.
    mutating func noteAdvance(at now: Moment, _ time: Double) {
        let latest = max(0, time - activeAtAdvance)
        (lastAdvance, activeAtAdvance) = (now, time)
        advances += 1
        guard advances > 1 else { return }
        // A gap twice as long moves what is usual by a quarter of the difference.
        usualGap = usualGap.map { $0 + (latest - $0) / 4 } ?? latest
    }
}
