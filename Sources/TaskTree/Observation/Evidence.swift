/// What tells a task's rate and time left: kept for tasks that have moved since they were first
/// seen, as others tell nothing.
///
/// A task without children is looked at no more often than its work is gathered in blocks (see
/// `PaceEstimator`); what came since is taken in when somebody asks.
struct Evidence: Sendable {
    private static let leastInterval = 0.2
    private static let intervalsPerLife = 256.0

    private(set) var units: RateEstimator
    private(set) var timeLeft: TimeLeft
    private var taken: Double
    /// When it last advanced, if that is not taken in yet.
    private var pending: Double?
    private(set) var drawn = EvenPace()
    /// What the total was before it last grew in this attempt.
    var totalBefore: Int64?
    private(set) var usualGap: Double?
    private var advances = 0
    /// The child that will take longest, as far as is known.
    private var lastChild: LastChild?

    /// Begins at a time of which what is done so far is no evidence.
    init(time: Double, completed: Int64, load: Workload, reported: Double) {
        units = RateEstimator(time: time, value: Double(completed))
        timeLeft = TimeLeft(time: time, load: load)
        taken = time
        drawn.move(reported: reported, secondsLeft: nil, at: time)
    }

    /// All that is done was done in the time so far.
    mutating func restore(time: Double, completed: Int64, load: Workload) {
        units.restore(time: time, value: Double(completed))
        timeLeft = TimeLeft(restored: time, load: load)
        taken = time
        pending = nil
    }

    /// Whether it is time to look at the task again.
    func isDue(_ load: Workload, at time: Double) -> Bool {
        load.hasChildren || time - taken >= max(Self.leastInterval, time / Self.intervalsPerLife)
    }

    /// So much is done now.
    mutating func take(completed: Int64, load: Workload, at time: Double, now: Moment) {
        units.observe(time: time, value: Double(completed))
        timeLeft.observe(load, at: time, lastChild: secondsOfLastChild(at: now))
        taken = time
        pending = nil
    }

    /// What is done now is taken in later.
    mutating func wait(at time: Double) { pending = time }

    var isWaiting: Bool { pending != nil }

    /// With what is not taken in yet.
    func caughtUp(completed: Int64, load: Workload, now: Moment) -> Evidence {
        guard let pending else { return self }
        var evidence = self
        evidence.take(completed: completed, load: load, at: pending, now: now)
        return evidence
    }

    /// So much is reported; `secondsLeft` counts if what is done has just been taken in.
    mutating func draw(reported: Double, secondsLeft: Double?, at time: Double, isTaken: Bool) {
        if isTaken {
            drawn.move(reported: reported, secondsLeft: secondsLeft, at: time)
        } else {
            drawn.report(reported, at: time)
        }
    }

    func secondsLeft(at time: Double, now: Moment) -> Double? {
        timeLeft.secondsLeft(at: time, lastChild: secondsOfLastChild(at: now))
    }

    mutating func noteAdvance(gap: Double) {
        advances += 1
        guard advances > 1 else { return }
        // A gap twice as long moves what is usual by a quarter of the difference.
        usualGap = usualGap.map { $0 + (gap - $0) / 4 } ?? gap
    }
}

// MARK: The last child

extension Evidence {
    private struct LastChild: Sendable {
        let id: TaskID
        let end: Moment
    }

    mutating func noteChild(_ child: TaskID, end: Moment?) {
        let isKnown = lastChild?.id == child
        guard let end else {
            if isKnown { lastChild = nil }
            return
        }
        if isKnown || lastChild.map({ $0.end < end }) ?? true {
            lastChild = LastChild(id: child, end: end)
        }
    }

    private func secondsOfLastChild(at now: Moment) -> Double? {
        guard let lastChild, lastChild.end > now else { return nil }
        return lastChild.end.seconds(since: now)
    }
}
