/// Everything the tree says about one task, a copy.
package struct TaskView: Sendable {
    package var id: TaskID
    /// The name under which its owner speaks: differs from `id` for a redeemed ticket.
    package var reporter: TaskID
    package var parent: TaskID?
    /// The root it hangs from; `nil` while that is not known.
    package var job: TaskID?
    /// 0 for a job.
    package var depth: Int
    /// Issuer's and holder's words merged: the title given by the holder wins.
    package var description: TaskDescription
    package var detail: String
    package var amounts: TaskAmounts
    package var state: TaskState
    /// The reason given with failed, cancelled or lost; empty if none.
    package var reason: String
    /// "waiting for 2 children", "succeeded, 1 child lost"; empty if there is nothing to add.
    package var note: String
    package var attempt: UInt32
    package var earlierAttempts: Int
    /// Whether the task has neither a total nor children that give one.
    package var isIndeterminate: Bool
    /// Not clamped: 15 of 10 is 1.5.
    package var fraction: Double
    /// The input for the time left.
    package var load: Workload
    package var isStalled: Bool
    package var isSilent: Bool
    package var needsAttention: Bool
    /// Of all descendants in the current attempts, folded ones included.
    package var counts: StateCounts
    /// Descendants that need attention, without what is silent or stalled below another such task.
    package var attention: Int
    /// Running descendants, and how many of those are stalled.
    package var runningDescendants: Int
    package var stalledDescendants: Int
    /// Direct children that count, without folded ones.
    package var childCount: Int
    /// Children folded away by their sessions.
    package var foldedChildren: Int
    package var sums: [UnitSum]
}
