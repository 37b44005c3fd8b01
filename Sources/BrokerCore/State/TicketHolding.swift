import TaskTree

/// Who holds a ticket's task, and in which attempt.
struct TicketHolding {
    var attempt: UInt32
    /// `nil` where the last holder no longer states its task: another attempt may begin.
    var holder: TaskID?
}
