import BusProtocol

/// What a session that leaves has not been able to tell.
struct LastWords: Sendable {
    /// What it would have said over control: hello, redemptions, endings, goodbye.
    var frames: [WireClientFrame]
    /// Endings that did not fit.
    var omitted: Int
    /// Whether some broker has welcomed the session.
    var hadBroker: Bool
}
