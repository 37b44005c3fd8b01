/// How the whole of a task has grown: who has found more to do goes on finding more.
///
/// What is still to be found is worth some steps of the mean size, but no more than has been found
/// so far, and that once more while the task looks young. It fades while nothing grows.
struct Growth: Sendable {
    /// So many more steps are expected, if there have been as many.
    private static let usual = 3.0
    /// So many times the mean time between steps without one, and none is expected any more.
    private static let patience = 12.0

    // Single precision does for what is only expected.
    private var sum: Float = 0
    private var steps: Float = 0
    private var latest: Float = 0

    /// The whole is so much more from now on; less takes back what was found.
    mutating func add(_ more: Double, at now: Double) {
        sum = max(0, sum + Float(more))
        guard more > 0 else { return }
        steps += 1
        latest = Float(now)
    }

    /// Seconds that the work takes which is not known yet; 0 if none is expected.
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
