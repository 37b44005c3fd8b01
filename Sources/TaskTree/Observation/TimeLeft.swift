/// How long a task takes yet, told from its work over time.
struct TimeLeft: Sendable {
    private var pace: PaceEstimator
    private var shown = ShownFinish()
    private(set) var load: Workload
    /// Active seconds, each as often as children ran in it.
    private var labour: Double
    private var time: Double
    /// How many worked at it on average.
    private var usualHands: Float

    /// Begins at a time of which the work done so far is no evidence.
    init(time: Double, load: Workload) {
        pace = PaceEstimator(time: time, work: load.done, extent: load.extent)
        self.load = load
        labour = time
        usualHands = load.hands
        self.time = time
    }

    /// All that is done was done in the time so far.
    init(restored time: Double, load: Workload) {
        self.init(time: time, load: load)
        labour = time * Double(load.hands)
        pace = PaceEstimator(restored: labour, work: load.done, extent: load.extent)
    }

    mutating func observe(_ load: Workload, at time: Double, lastChild: Double?) {
        let said = secondsLeft(at: time, lastChild: lastChild)
        labour = labour(at: time)
        let passed = max(0, time - self.time)
        // What was before anybody looked counts like ten seconds.
        usualHands += (self.load.hands - usualHands) * Float(passed / (passed + max(10, time)))
        self.time = max(time, self.time)
        pace.observe(time: labour, work: load.done, grain: load.grain)
        self.load = load
        if let estimate = estimate(at: time, lastChild: lastChild) {
            shown.move(to: estimate, from: said, at: time)
        }
    }

    /// Seconds of activity until the work is done; `nil` without evidence.
    func secondsLeft(at time: Double, lastChild: Double?) -> Double? {
        estimate(at: time, lastChild: lastChild).map { shown.secondsLeft(estimate: $0, at: time) }
    }

    private func estimate(at time: Double, lastChild: Double?) -> Double? {
        guard let rest = load.rest,
            let work = pace.secondsLeft(for: rest, at: labour(at: time))
        else { return nil }
        let usual = Double(usualHands)
        let left = Crew.secondsLeft(work: work, load: load, usual: usual, lastChild: lastChild)
        return left.isFinite ? max(0, left) : nil
    }

    private func labour(at time: Double) -> Double {
        labour + max(0, time - self.time) * Double(load.hands)
    }
}
