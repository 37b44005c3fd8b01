import ProgressBus
import TaskTree

/// What the rows of a block leave out.
extension JobState {
    /// All tasks below the parent of a block that have no row in it, by state.
    func rest(of line: Line, in store: TaskStore) -> StateCounts {
        guard let block = block(at: line.path), var rest = store.rows[block.task]?.counts else {
            return StateCounts()
        }
        for place in block.places {
            guard let child = store.child(of: block.task, at: place) else { continue }
            rest.add(child.counts, times: -1)
            rest.add(child.state, times: -1)
        }
        // Rows are not all of one moment.
        let states: [WritableKeyPath<StateCounts, Int>] = [
            \.waiting, \.running, \.succeeded, \.failed, \.cancelled, \.lost,
        ]
        for state in states { rest[keyPath: state] = max(rest[keyPath: state], 0) }
        return rest
    }
}
