/// How the rest of a task's work is expected to go.
struct Outlook: Sendable {
    /// Seconds left, as viewers are told.
    var told: Double
    /// Seconds left, if a suspected slowing down is real: the drawn fraction can catch up, but not
    /// go back.
    var expected: Double
    /// How unevenly the work goes: 0 if all blocks are the same, 1 if advances come at random (a
    /// Poisson process).
    var irregularity: Float
    /// Whether it rests on one advance, before which the task may have waited for its turn.
    var isOfOneAdvance: Bool
    /// Units done so far.
    var done: Double
}
