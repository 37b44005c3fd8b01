import TaskTree

/// When a dashboard closes that somebody else wants closed: soon, but not under the person's hands.
struct ClosingTime {
    /// How long the end of the work is shown, in seconds.
    private static let moment = 1.5
    /// How long after the last key, in seconds.
    private static let quiet = 10.0

    private var earliest: Moment?
    private var lastAct: Moment?

    mutating func begin(at now: Moment) {
        earliest = earliest ?? now.advanced(bySeconds: Self.moment)
    }

    mutating func personActed(at now: Moment) { lastAct = now }

    /// `nil` if nobody wants it closed.
    var due: Moment? {
        guard let earliest else { return nil }
        return lastAct.map { max(earliest, $0.advanced(bySeconds: Self.quiet)) } ?? earliest
    }
}
