package import ProgressBus
package import TaskTree

extension TaskSnapshot: FilteredTask {
    package var condition: TaskCondition {
        TaskCondition(state, isStalled: isStalled, isSilent: isSilent)
    }

    /// Whether the counts of its children are all that is known of a parent's progress.
    package var isMeasuredByCounts: Bool {
        // What has succeeded is done, whatever is known of how much it was.
        total == nil && options.expectedChildren == nil && counts.sum > 0 && state != .succeeded
    }

    /// Whether a fraction of it can be shown: not of one that has done more than its total, which
    /// is wrong then.
    package var isDeterminate: Bool { !isIndeterminate && !isMeasuredByCounts && fraction <= 1 }

    /// Whether all is done that was to be done, but the task has not succeeded: neither a percentage
    /// nor a time says when it ends.
    var isAtItsEnd: Bool { fraction >= 1 && state != .succeeded }

    /// Whether it has, or is about to have, tasks below it.
    package var isParent: Bool { counts.sum > 0 || (options.expectedChildren ?? 0) > 0 }

    /// Whether what is said of its time changes although nothing happens.
    var isAgeing: Bool { !state.isEnded && state != .waiting }

    /// Seconds that have passed since the durations were right, if time counts for it.
    package func age(at now: Moment) -> Double {
        state.isEnded ? 0 : max(now.seconds(since: madeAt), 0)
    }
}
