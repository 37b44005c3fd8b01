package import ProgressBus
package import TaskTree

extension TaskSnapshot: FilteredTask {
    package var condition: TaskCondition {
        TaskCondition(state, isStalled: isStalled, isSilent: isSilent)
    }

    /// Whether a parent's progress is known only from the counts of the tasks below it.
    package var isMeasuredByCounts: Bool {
        // A task that has succeeded is done, even if its amount is not known.
        total == nil && options.expectedChildren == nil && counts.sum > 0 && state != .succeeded
    }

    /// Whether a fraction of the task can be shown; a total that the task has exceeded gives none.
    package var isDeterminate: Bool { !isIndeterminate && !isMeasuredByCounts && fraction <= 1 }

    /// Whether everything is done but the task has not succeeded, so that neither a percentage nor
    /// a time tells when it ends.
    var isAtItsEnd: Bool { fraction >= 1 && state != .succeeded }

    /// Whether it has, or is about to have, tasks below it.
    package var isParent: Bool { counts.sum > 0 || (options.expectedChildren ?? 0) > 0 }

    /// Seconds since the durations of the row were right; 0 once the task has ended.
    package func age(at now: Moment) -> Double {
        state.isEnded ? 0 : max(now.seconds(since: madeAt), 0)
    }
}
