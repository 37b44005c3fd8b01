import TaskTree

/// Who holds which ticket.
struct TicketBook {
    /// What has been decided about each redeemer.
    var bindings: [TaskID: Binding] = [:]
    var holdings: [TaskID: TicketHolding] = [:]
}
