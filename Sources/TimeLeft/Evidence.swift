import TaskTree

/// The evidence for a task's rate and time left; a task that only waits has none.
///
/// A task without children is observed no more often than its work is gathered in blocks (see
/// `PaceEstimator`). What it reports between is taken in when somebody asks.
struct Evidence: Sendable {
    private static let leastInterval = 0.2
    private static let intervalsPerLife = 256.0

    var lastAdvance: Moment
    /// Active seconds at `lastAdvance`, or when its owner was heard again after a silence.
    var activeAtAdvance: Double
    private(set) var units: ShownRate
    /// Active seconds at the last report that is not taken in yet.
    private var pending: Double?
    var drawn = DisplayFractionSmoother()
    /// What the total was before it last grew in this attempt.
    var totalBefore: Int64?
    /// The usual seconds between advances; `nil` before the second advance.
    private(set) var usualGap: Double?
    var timeLeft: TimeLeftEstimator
    private(set) var advances = 0
    /// Active seconds up to the last advance that the broker did not see itself; `nil` without one.
    private(set) var workedBefore: Double?

    /// Begins at a time; the work done until then is no evidence.
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

    /// Takes the work done so far, and the time that it took, as all evidence.
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

    /// Takes in the work done now; returns the outlook on the rest.
    @discardableResult
    mutating func take(
        completed: Int64,
        load: Workload,
        at time: Double,
        now: Moment
    ) -> Outlook? {
        units.observe(time: time, value: Double(completed))
        pending = nil
        // With its first child a task counts other units: that is no growth.
        if let extent = load.extent, let before = timeLeft.extent, extent != before,
            timeLeft.load.hasChildren == load.hasChildren
        {
            drawn.grow(by: extent - before, at: time)
        }
        return timeLeft.observe(load, at: time, now: now)
    }

    /// Notes that the work done now is to be taken in later.
    mutating func wait(at time: Double) { pending = time }

    var isWaiting: Bool { pending != nil }

    /// A copy with all reports taken in.
    func caughtUp(completed: Int64, load: Workload, now: Moment) -> Evidence {
        guard let pending = pending else { return self }
        var evidence = self
        evidence.take(completed: completed, load: load, at: pending, now: now)
        return evidence
    }

    /// Notes an advance now, at `time` active seconds.
    mutating func noteAdvance(at now: Moment, _ time: Double) {
        let latest = max(0, time - activeAtAdvance)
        (lastAdvance, activeAtAdvance) = (now, time)
        advances += 1
        guard advances > 1 else { return }
        // The usual gap moves by a quarter of the difference.
        usualGap = usualGap.map { $0 + (latest - $0) / 4 } ?? latest
    }
}
