/// When viewers are told that a task ends: it follows the estimate, but moves no more than it must.
///
/// An estimate that wavers within its uncertainty tells nothing. So the finish stays where it is
/// while the estimate is near it, and is pulled along only at the edge of a band: of all values
/// that stay within a band, this one moves least. Slowly it settles in the middle.
struct ShownFinish: Sendable {
    /// The band, as a share of the time left.
    private static let band = 0.07
    /// The finish settles within this share of the time left, but not sooner than in 3 s.
    private static let settling = 0.33

    private var finish: Double?
    private var since = 0.0

    /// The seconds left that viewers are told at a time, by the estimate.
    func secondsLeft(estimate: Double, at time: Double) -> Double {
        guard let finish = finish else { return estimate }
        let said = finish - time
        let settled = min(1, max(0, time - since) / max(3, Self.settling * estimate))
        let nearer = said + (estimate - said) * settled
        let margin = Self.band * estimate
        return max(0, min(max(nearer, estimate - margin), estimate + margin))
    }

    /// Takes a new estimate, made at this time; `said` is what viewers were told until then.
    mutating func move(to estimate: Double, from said: Double?, at time: Double) {
        finish = said.map { $0 + time }
        since = time
        finish = time + secondsLeft(estimate: estimate, at: time)
    }
}
