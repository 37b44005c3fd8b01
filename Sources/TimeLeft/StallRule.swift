/// When a running task counts as stalled.
package enum StallRule {
    /// No task is stalled sooner, unless its owner says what gap is usual.
    package static let leastSeconds = 5.0
    /// How many usual gaps without an advance are too many.
    package static let usualGaps = 6.0
    /// The limit before the usual gap is known, for a task with a total.
    ///
    /// After n advances no task is stalled before an n-th of it: a few quick steps do not tell how long
    /// the next takes.
    package static let secondsBeforeEvidence = 60.0

    /// How long a task may go without an advance before it is stalled; `nil`: for ever.
    ///
    /// - Parameters:
    ///   - usualGap: Seconds between advances as observed; `nil` before two of them.
    ///   - advances: How many advances have been observed.
    ///   - workedBefore: Seconds in which it advanced before anybody here saw how often; no gap in them
    ///     was longer. `nil` if it did not.
    ///   - expectedGap: What the owner considers usual; if positive, it is the limit.
    ///   - hasTotal: Whether the task has a total; one without waits for evidence for ever.
    /// - Returns: The limit in seconds, or `nil`.
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
