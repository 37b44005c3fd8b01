import TaskTree

/// What a task completed in each of its last seconds; paused time is left out.
struct ThroughputPlot: Equatable, Sendable {
    private static let second: Int64 = 1_000_000_000

    private struct Observation: Equatable {
        var completed: Int64
        var isPaused: Bool
        var at: Moment
    }

    /// How many seconds are kept.
    static let capacity = 60

    /// Units completed in each whole second, the newest last.
    private(set) var seconds: [Double] = []
    /// Units completed so far in the second that is not over.
    private var current = 0.0
    /// Nanoseconds of that second that have passed.
    private var passed: Int64 = 0
    private var last: Observation?

    /// Takes in how much was completed at a moment.
    ///
    /// Call it about once a second even if nothing changed, so that the plot moves on. Units
    /// completed between two calls count for the second of the later call. An amount that fell, as
    /// with another attempt, counts as nothing.
    mutating func observe(completed: Int64, isPaused: Bool = false, at now: Moment) {
        defer { last = Observation(completed: completed, isPaused: isPaused, at: now) }
        guard let last else { return }
        // A clock that ran backwards, or a time too long to hold, is no time.
        let (elapsed, isTooLong) = now.nanoseconds.subtractingReportingOverflow(last.at.nanoseconds)
        if !last.isPaused, !isTooLong, elapsed > 0 { pass(elapsed) }
        if completed > last.completed { current += Double(completed) - Double(last.completed) }
    }

    private mutating func pass(_ elapsed: Int64) {
        let (whole, rest) = elapsed.quotientAndRemainder(dividingBy: Self.second)
        passed += rest
        // More than are kept would only push each other out.
        var over = Int(min(whole, Int64(Self.capacity)))
        if passed >= Self.second {
            passed -= Self.second
            over += 1
        }
        for _ in 0..<over {
            seconds.append(current)
            current = 0
        }
        seconds.removeFirst(max(seconds.count - Self.capacity, 0))
    }
}

/// How fast a task was in the last two minutes: one rate for each period, the newest last.
struct RateTrend: Sendable {
    /// How many periods are kept.
    static let capacity = 10
    private static let period: Int64 = 12_000_000_000

    private(set) var rates: [Double] = []
    private var last: Int64

    init(at now: Moment) {
        last = now.nanoseconds / Self.period
    }

    /// Takes in the rate at a moment; a period without a rate repeats the one before it.
    mutating func take(_ rate: Double, at now: Moment) {
        let period = now.nanoseconds / Self.period
        let passed = min(period - last, Int64(Self.capacity))
        guard passed > 0 else { return }
        last = period
        for _ in 1..<max(passed, 1) { rates.append(rates.last ?? rate) }
        rates.append(rate)
        rates.removeFirst(max(rates.count - Self.capacity, 0))
    }
}
