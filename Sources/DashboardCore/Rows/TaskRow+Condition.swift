package import TaskTree

extension TaskRow {
    /// What a person is to see of the state: what is wrong counts before what is going on.
    package enum Condition: Hashable, Sendable, CaseIterable {
        case waiting, running, stalled, silent, paused, cancelling
        case succeeded, failed, cancelled, lost

        /// Whether the work goes on as far as anybody knows; only then something moves.
        package var isMoving: Bool { self == .running || self == .cancelling }
    }

    package var condition: Condition {
        if !state.isEnded {
            if isSilent { return .silent }
            if isStalled { return .stalled }
        }
        switch state {
        case .waiting: return .waiting
        case .running: return .running
        case .paused: return .paused
        case .cancelling: return .cancelling
        case .succeeded: return .succeeded
        case .failed: return .failed
        case .cancelled: return .cancelled
        case .lost: return .lost
        }
    }

    /// Whether only counts say how far a parent is, as nobody knows what is still to come.
    package var isMeasuredByCounts: Bool {
        total == nil && expectedChildren == nil && counts.sum > 0
    }

    /// Whether a fraction of it can be shown: not of one that has done more than its total, which
    /// is wrong then.
    package var isDeterminate: Bool { !isIndeterminate && !isMeasuredByCounts && fraction <= 1 }

    /// Whether all is done that was to be done, but the task has not succeeded: neither a percentage
    /// nor a time says when it ends.
    var isAtItsEnd: Bool { fraction >= 1 && state != .succeeded }

    /// Whether it has, or is about to have, tasks below it.
    package var isParent: Bool { counts.sum > 0 || (expectedChildren ?? 0) > 0 }

    /// Seconds that have passed since the durations were right, if time counts for it.
    package func age(at now: Moment) -> Double {
        state.isEnded ? 0 : max(now.seconds(since: madeAt), 0)
    }
}

extension StateCounts {
    package var sum: Int { waiting + running + succeeded + failed + cancelled + lost }
}
