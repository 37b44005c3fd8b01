import ProgressBus
import TaskTree

/// What the rows of a block leave out.
extension JobState {
    /// All tasks below the parent of a block that have no row in it, by state.
    func rest(of line: Line, in store: TaskStore) -> StateCounts {
        guard let block = block(at: line.path), let parent = store.rows[block.task] else {
            return StateCounts()
        }
        var rest = parent.counts
        for place in block.places {
            guard let child = store.child(of: block.task, at: place) else { continue }
            rest.subtract(child)
        }
        return rest
    }
}

extension StateCounts {
    /// Takes a task and all that is below it out of the count.
    fileprivate mutating func subtract(_ row: TaskSnapshot) {
        waiting -= row.counts.waiting + (row.state == .waiting ? 1 : 0)
        let isRunning = [.running, .paused, .cancelling].contains(row.state)
        running -= row.counts.running + (isRunning ? 1 : 0)
        succeeded -= row.counts.succeeded + (row.state == .succeeded ? 1 : 0)
        failed -= row.counts.failed + (row.state == .failed ? 1 : 0)
        cancelled -= row.counts.cancelled + (row.state == .cancelled ? 1 : 0)
        lost -= row.counts.lost + (row.state == .lost ? 1 : 0)
        waiting = max(waiting, 0)
        running = max(running, 0)
        succeeded = max(succeeded, 0)
        failed = max(failed, 0)
        cancelled = max(cancelled, 0)
        lost = max(lost, 0)
    }
}
