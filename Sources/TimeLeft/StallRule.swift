/// When a running task counts as stalled.
package enum StallRule {
    /// No task is stalled sooner, unless its owner says what gap is usual.
    package static let leastSeconds = 5.0
    /// How many usual gaps without an advance are too many.
    package static let usualGaps = 6.0
    /// The limit before the usual gap is known, for a task with a total.
    ///
    /// After n advances the limit is at least an n-th of it: a few quick steps do not tell how long
    /// the next takes.
    package static let secondsBeforeEvidence = 60.0

    /// How long a task may go without an advance before it is stalled; `nil`: for ever.
    ///
    /// `usualGap` is the usual gap between the observed advances, `nil` before two of them.
    /// `workedBefore` is the seconds of advances that the broker did not see: no gap in them was
    /// longer. A positive `expectedGap`, as the owner states it, is the limit. A task with neither
    /// a total nor evidence is never stalled.
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
