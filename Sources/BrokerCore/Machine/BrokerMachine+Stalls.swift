import TaskTree
import TimeLeft

/// Which running tasks are stalled: decided from what is seen of each, by `StallRule`.
extension BrokerMachine {
    mutating func checkStall(_ id: TaskID, now: Moment) {
        guard let task = tree.view(id), let number = records.number(of: id) else { return }
        records[number].isWatched = false
        watch(task, number, now: now)
    }

    /// Decides whether a running task is stalled, and when to look again.
    ///
    /// `number` is that of its record.
    mutating func watch(_ task: TaskView, _ number: PoolNumber, now: Moment) {
        var isStalled = false
        // The tree itself knows when all that runs below a task is stalled.
        if task.state == .running, !task.isSilent, task.runningDescendants == 0 {
            let gap = task.description.options.expectedGap?.inSeconds
            // A script may take its time: a total alone promises no advance within a minute.
            let hasTotal = task.amounts.total != nil && !detached.owns(task.reporter)
            // Not through a local copy: changing one would copy all of its storage.
            isStalled = records[number].observation.isStalled(
                expectedGap: gap,
                hasTotal: hasTotal,
                at: now
            )
            var next = records[number].observation.nextStallCheck(
                expectedGap: gap,
                hasTotal: hasTotal
            )
            if isStalled {
                let turn = turn(of: task, number)
                isStalled = turn.map { $0 <= now } ?? true
                next = turn.map { max($0, now.advanced(bySeconds: StallRule.leastSeconds)) }
            }
            if !records[number].isWatched, let next {
                records[number].isWatched = true
                clock.timers.add(.stall(task.id), at: max(next, now.advanced(bySeconds: 0.05)))
            }
        }
        if isStalled != records[number].isStalled {
            records[number].isStalled = isStalled
            tree.setStalled(task.id, isStalled)
            publication.isChanged = true
        }
    }

    /// When a child that has not moved yet counts as stalled; `nil`: the usual rule holds for it.
    ///
    /// It may wait for its turn. While others of its parent advance, it is not stalled.
    private func turn(of task: TaskView, _ number: PoolNumber) -> Moment? {
        guard task.fraction == 0, !records[number].observation.hasUsualGap,
            task.description.options.expectedGap == nil, let parent = task.parent,
            let above = records[parent]
        else { return nil }
        let patience = StallRule.secondsBeforeEvidence
        return above.observation.lastAdvance.advanced(bySeconds: patience)
    }
}
