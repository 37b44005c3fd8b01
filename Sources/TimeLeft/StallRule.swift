/// When a running task counts as stalled.
package enum StallRule {
    /// No task is stalled sooner, unless its owner says what gap is usual.
    package static let leastSeconds = 5.0
    /// How many usual gaps without an advance are too many.
    package static let usualGaps = 6.0
    /// The limit before the usual gap is known, for a task with a total.
    ///
    /// After n advances no task is stalled before an n-th of these seconds: a few quick steps do not tell
    /// how long the next takes.
    package static let secondsBeforeEvidence = 60.0

    /// How long a task may go without an advance before it is stalled; `nil`: for ever.
    ///
    /// `usualGap` is of the advances observed, `nil` before two of them; `workedBefore` are the seconds
    /// in which it advanced before anybody here saw how often: no gap in them was longer. A positive
    /// `expectedGap`, as its owner says, is the limit; a task without a total waits for evidence for ever.
    package static func limit(
        usualGap: Double?,
        advances: Int,
        workedBefore: Double? = nil,
        expectedGap: Double?,
        hasTotal: Bool
    ) -> Double? {
        if let expectedGap, expectedGap > 0 { return expectedGap }
        if let usualGap {
            let few = secondsBeforeEvidence / Double(max(advances, 1))
            return max(leastSeconds, usualGaps * usualGap, few)
        }
        if hasTotal { return secondsBeforeEvidence }
        return workedBefore.map { max(secondsBeforeEvidence, $0) }
    }
}
