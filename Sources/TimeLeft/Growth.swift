/// How the total of a task has grown: a task that has grown is expected to grow on.
///
/// The expected growth is some steps of the mean size, but no more than the growth so far; while
/// little is drawn, up to the growth so far is added. It fades while nothing grows.
struct Growth: Sendable {
    /// This many more steps are expected, if there have been as many.
    private static let usual = 3.0
    /// After so many mean times between steps without a step, no growth is expected any more.
    private static let patience = 12.0

    // Single precision does for what is only expected.
    private var sum: Float = 0
    private var steps: Float = 0
    private var latest: Float = 0

    /// Notes that the total has grown by `more`; a negative number takes growth back.
    mutating func add(_ more: Double, at now: Double) {
        sum = max(0, sum + Float(more))
        guard more > 0 else { return }
        steps += 1
        latest = Float(now)
    }

    /// Seconds for the work that is still to be found; 0 if none is expected.
    func secondsMore(_ outlook: Outlook, drawn: Double, at now: Double) -> Double {
        guard steps > 0, outlook.done > 0 else { return 0 }
        let (steps, latest) = (Double(steps), Double(latest))
        let idle = max(0, now - latest) * steps
        guard latest > 0, idle < Self.patience * latest else { return 0 }
        let trust = 1 - idle / (Self.patience * latest)
        let expected = (min(1, Self.usual / steps) + max(0, 1 - 2 * drawn)) * Double(sum)
        return trust * expected * now / outlook.done
    }
}
