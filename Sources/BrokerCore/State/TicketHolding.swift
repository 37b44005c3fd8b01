import TaskTree

/// The holder of a ticket, and its attempt.
struct TicketHolding {
    var attempt: UInt32
    /// `nil` where the last holder no longer states its task: another attempt may begin.
    var holder: TaskID?
}
