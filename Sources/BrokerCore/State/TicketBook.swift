import TaskTree

/// The holders of tickets.
struct TicketBook {
    /// What has been decided about each redeemer.
    var bindings: [TaskID: Binding] = [:]
    var holdings: [TaskID: TicketHolding] = [:]
}
