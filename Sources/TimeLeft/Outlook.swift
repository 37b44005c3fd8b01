/// How the rest of a task's work is expected to go.
struct Outlook: Sendable {
    /// Seconds left, as they are told.
    var told: Double
    /// Seconds left, if what may be a slowing down is one: what is drawn can catch up, but not
    /// go back.
    var expected: Double
    /// How unevenly the work goes: 0 if all blocks are the same, 1 if they come like calls.
    var irregularity: Float
    /// Whether it rests on one advance, before which the task may have waited for its turn.
    var isOfOneAdvance: Bool
    /// Units done so far.
    var done: Double
}
