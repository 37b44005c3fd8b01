import BusProtocol
import TaskTree

/// A task and what is below it as a consumer was last given it, kept for the next value: only rows
/// that have changed are made again.
///
/// Equal to what composing everything anew would give.
struct ComposedTree: Sendable {
    private(set) var snapshot: TaskSnapshot
    /// Of each task of the snapshot, it before its children, these in order.
    private var clocks: [RowClock]
    /// The newest change of the topic that is in here; `nil` where it was not made from a topic.
    private var since: UInt64?

    /// Composes a task alone.
    init(_ task: RowState, now: Double?) {
        let clock = RowClock(task)
        snapshot = TaskSnapshot(task, clock, now: now ?? task.time)
        clocks = [clock]
        since = nil
    }

    /// Composes the task with what is below it among `contents`, which have changed up to
    /// `revision`.
    init(
        _ root: RowState,
        in contents: TopicContents,
        at revision: UInt64,
        depth: Int?,
        now: Double?
    ) {
        var clocks: [RowClock] = []
        let composer = SnapshotComposer(rows: contents.rows, now: now)
        snapshot = composer.snapshot(of: root, depth: depth, clocks: &clocks)
        self.clocks = clocks
        since = revision
    }

    /// The same with all that is in `contents`, which have changed up to `revision`; false where
    /// everything is to be composed, as tasks have come, gone or moved.
    mutating func update(to contents: TopicContents, revision: UInt64, now: Double) -> Bool {
        guard let since, contents.shapeRevision <= since else { return false }
        var changed: [TaskID: RowState] = [:]
        if revision > since {
            for row in contents.rows.values where row.revision > since { changed[row.task] = row }
        }
        var number = 0
        Self.update(&snapshot, &clocks, from: &number, changed: changed, now: now)
        self.since = revision
        return true
    }

    private static func update(
        _ task: inout TaskSnapshot,
        _ clocks: inout [RowClock],
        from number: inout Int,
        changed: [TaskID: RowState],
        now: Double
    ) {
        if let row = changed[task.id] {
            let clock = RowClock(row)
            let children = task.children
            task = TaskSnapshot(row, clock, now: now)
            task.children = children
            clocks[number] = clock
        } else if !clocks[number].isStill {
            task.setDurations(clocks[number], at: now)
        }
        number += 1
        for place in task.children.indices {
            // Consumers hold the same list: it is copied with the first write, if there is one.
            let isAsItWas =
                clocks[number].isStill && task.children[place].children.isEmpty
                && changed[task.children[place].id] == nil
            if isAsItWas {
                number += 1
            } else {
                update(&task.children[place], &clocks, from: &number, changed: changed, now: now)
            }
        }
    }
}
