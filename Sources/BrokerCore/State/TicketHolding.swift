import TaskTree

/// Who holds a ticket's task, and in which attempt.
struct TicketHolding {
    var attempt: UInt32
    var holder: TaskID
}
