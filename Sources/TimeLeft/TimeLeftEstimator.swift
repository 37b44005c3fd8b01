import TaskTree

/// How long a task still takes, by its work over time.
///
/// A task without children counts as one worker all the time.
struct TimeLeftEstimator: Sendable {
    private var shown = ShownFinish()
    /// Active seconds at the last observation.
    private(set) var time: Double
    /// The whole work at the last observation.
    private(set) var extent: Double?
    /// Who worked at it; only for a task with children.
    private var sharedWork: SharedWork?
    private var pace: PaceEstimator

    /// Begins at a time; the work done until then is no evidence.
    init(time: Double, load: Workload) {
        pace = PaceEstimator(time: time, work: load.done, extent: load.extent)
        self.time = time
        extent = load.extent
        if load.isShared { sharedWork = SharedWork(load, labour: time) }
    }

    /// Begins with the work done so far, and the time that it took, as all evidence.
    init(restored time: Double, load: Workload) {
        self.init(time: time, load: load)
        let labour = time * Double(load.hands(before: 1))
        sharedWork?.labour = labour
        pace = PaceEstimator(restored: labour, work: load.done, extent: load.extent)
    }

    /// The load at the last observation.
    var load: Workload {
        sharedWork?.load ?? Workload(done: pace.work, extent: extent)
    }

    /// Takes in the work done now; returns the outlook on the rest.
    @discardableResult
    mutating func observe(_ load: Workload, at time: Double, now: Moment) -> Outlook? {
        let said = secondsLeft(at: time, now: now)
        if load.isShared || sharedWork != nil {
            let former = self.load
            let before = self.time
            if sharedWork == nil { sharedWork = SharedWork(former, labour: before) }
            sharedWork?.take(load, passed: max(0, time - before), at: time)
        }
        let labour = sharedWork?.labour ?? max(time, self.time)
        self.time = max(time, self.time)
        extent = load.extent
        let grain = load.grain(sharedWork?.hands ?? 1)
        pace.observe(time: labour, work: load.done, grain: grain)
        guard let estimate = estimate(at: time, now: now) else { return nil }
        shown.move(to: estimate, from: said, at: time)
        return outlook(on: estimate, at: time)
    }

    /// The outlook on the rest; `nil` without evidence.
    func outlook(at time: Double, now: Moment) -> Outlook? {
        estimate(at: time, now: now).map { outlook(on: $0, at: time) }
    }

    private func outlook(on estimate: Double, at time: Double) -> Outlook {
        // A parent's estimate already reckons with few workers at the end.
        let expected =
            sharedWork == nil ? pace.cautious(estimate, for: load.rest ?? 0) : estimate
        return Outlook(
            told: shown.secondsLeft(estimate: estimate, at: time),
            expected: expected,
            irregularity: pace.irregularity,
            isOfOneAdvance: pace.isOfOneAdvance,
            done: pace.work
        )
    }

    /// Seconds of activity until the work is done; `nil` without evidence.
    func secondsLeft(at time: Double, now: Moment) -> Double? {
        estimate(at: time, now: now).map { shown.secondsLeft(estimate: $0, at: time) }
    }

    /// Takes when a child expects to end; `nil` if it has ended or does not know.
    mutating func noteChild(_ child: TaskID, end: Moment?) {
        if end != nil, sharedWork == nil { sharedWork = SharedWork(load, labour: time) }
        sharedWork?.noteChild(child, end: end)
    }

    private func estimate(at time: Double, now: Moment) -> Double? {
        let load = load
        guard let rest = load.rest,
            let work = pace.secondsLeft(for: rest, at: labour(at: time))
        else { return nil }
        let left = Parallelism.secondsLeft(
            work: work,
            load: load,
            hands: Double(sharedWork?.hands ?? 1),
            usual: Double(sharedWork?.usual ?? 1),
            lastChild: sharedWork?.secondsOfLastChild(at: now)
        )
        return left.isFinite ? max(0, left) : nil
    }

    /// Active seconds, each as often as hands were at work in it.
    private func labour(at time: Double) -> Double {
        guard let sharedWork else { return max(time, self.time) }
        return sharedWork.labour + max(0, time - self.time) * Double(sharedWork.hands)
    }
}

/// How many workers a task with children had over time.
private struct SharedWork: Sendable {
    private struct LastChild: Sendable {
        let id: TaskID
        let end: Moment
    }

    private(set) var load: Workload
    /// Active seconds, each as often as hands were at work in it.
    var labour: Double
    /// How many are at work.
    private(set) var hands: Float
    /// How many worked at it on average.
    private(set) var usual: Float
    /// The child that will take longest, as far as is known.
    private var lastChild: LastChild?

    init(_ load: Workload, labour: Double) {
        self.load = load
        self.labour = labour
        hands = load.hands(before: 1)
        usual = hands
    }

    mutating func take(_ load: Workload, passed: Double, at time: Double) {
        let before = hands
        hands = load.hands(before: hands)
        // How many work at it shows only when something of it is done.
        let isFirstMove = self.load.done == 0
        labour += passed * Double(isFirstMove ? hands : before)
        // How many worked before the first look is not known: the guess counts like ten seconds.
        usual += (before - usual) * Float(passed / (passed + max(10, time)))
        if isFirstMove { usual = hands }
        self.load = load
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

    func secondsOfLastChild(at now: Moment) -> Double? {
        guard let lastChild, lastChild.end > now else { return nil }
        return lastChild.end.seconds(since: now)
    }
}

extension Workload {
    /// Whether it differs from the load of a task without children.
    fileprivate var isShared: Bool { self != Workload(done: done, extent: extent) }
}
