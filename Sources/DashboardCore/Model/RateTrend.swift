import TaskTree

/// How fast a task was in the last two minutes: one rate for each of some short periods, the newest last.
struct RateTrend: Sendable {
    /// How many periods are kept.
    static let capacity = 10
    private static let period: Int64 = 12_000_000_000

    private(set) var rates: [Double] = []
    private var last: Int64

    init(at now: Moment) {
        last = now.nanoseconds / Self.period
    }

    /// Takes in the rate of a moment; periods in which none came are as the one before them.
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
