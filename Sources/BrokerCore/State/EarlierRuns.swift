import TaskTree

/// What a job's row says of earlier runs under the same key that failed or were lost, until
/// somebody dismisses it.
package struct EarlierRuns: Hashable, Sendable {
    /// The number of the present run; the first that failed is run 1.
    package var run: Int
    /// How many failed or were lost.
    package var failures: Int
    /// The number of the last run that failed or was lost.
    package var failedRun: Int
    package var isLost: Bool
    package var reason: String

    package init(run: Int, failures: Int, failedRun: Int, isLost: Bool, reason: String) {
        self.run = Self.clamped(run)
        self.failures = Self.clamped(failures)
        self.failedRun = Self.clamped(failedRun)
        self.isLost = isLost
        self.reason = reason
    }

    /// Describes the runs before the one after `former`, which has ended; nil if no failure is to
    /// be shown.
    init?(after former: TaskView, with earlier: EarlierRuns?, isDismissed: Bool) {
        guard !isDismissed else { return nil }
        let run = earlier?.run ?? 1
        if former.state == .failed || former.state == .lost {
            self.init(
                run: run + 1,
                failures: (earlier?.failures ?? 0) + 1,
                failedRun: run,
                isLost: former.state == .lost,
                reason: former.reason
            )
        } else if var earlier {
            earlier.run = Self.clamped(earlier.run + 1)
            self = earlier
        } else {
            return nil
        }
    }

    /// Limits a number that the broker has read from the journal, which a person may have edited.
    private static func clamped(_ number: Int) -> Int { min(max(1, number), 1_000_000_000) }

    /// "run 5; run 4 failed (4 failures): exit status 2".
    var words: String {
        let times = failures > 1 ? " (\(failures) failures)" : ""
        let why = reason.isEmpty ? "" : ": \(reason)"
        return "run \(run); run \(failedRun) \(isLost ? "was lost" : "failed")\(times)\(why)"
    }
}
