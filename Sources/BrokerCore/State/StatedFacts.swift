import BusProtocol

/// What an owner has said of a task that is used when the task is shown or has ended.
struct StatedFacts {
    /// The owner's clock, until the task is shown.
    var clock: WireClock?
    /// When it ended, in Unix seconds, until its end is shown.
    var end: Double?
    /// Where an earlier broker showed it, as its owner repeats it, until it has a place.
    var claim: PlaceClaim?

    var isEmpty: Bool { clock == nil && end == nil && claim == nil }
}
