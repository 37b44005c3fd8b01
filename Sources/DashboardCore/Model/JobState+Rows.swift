import ProgressBus
import TaskTree

/// How many rows each block reserves for the children of its task.
///
/// Only the person changes these numbers. A block that the person has unfolded before its children
/// came gets its rows when they come, and never again by itself.
extension JobState {
    /// Free rows for later children of a parent that does not declare how many it expects.
    private static let spare = 2

    /// How many rows the children of a task need.
    static func rows(for row: TaskSnapshot?, store: TaskStore, bodyHeight: Int) -> Int {
        let most = max(bodyHeight - 3, 1)
        guard let row else { return min(leastRows, most) }
        let declared = row.options.expectedChildren
        guard isKnown(row.id, in: store) else {
            return min(max(declared ?? row.counts.sum, 1), most)
        }
        let room = declared ?? (row.state.isEnded ? 0 : highest(below: row.id, in: store) + spare)
        return min(max(highest(below: row.id, in: store), room, 1), most)
    }

    /// The highest of the first places that shows a child; behind these places the broker also
    /// shows ended children that have lost their own place to another child.
    private static func highest(below task: TaskID, in store: TaskStore) -> Int {
        let places = store.atPlace[task] ?? [:]
        return places.keys.filter { $0 <= ViewportPart.placesPerBlock }.max() ?? 0
    }

    private static func isKnown(_ task: TaskID, in store: TaskStore) -> Bool {
        store.members[.children(of: task, block: 0)] != nil
    }

    /// Gives each block its rows once the children of its task have come.
    mutating func settle(store: TaskStore, bodyHeight: Int) {
        guard blocks.contains(where: { !$0.isSettled && Self.isKnown($0.task, in: store) }) else {
            return
        }
        let former = line
        if !root.isSettled, Self.isKnown(job, in: store) {
            root.isSettled = true
            unfoldWhatFits(store: store, bodyHeight: bodyHeight)
        }
        func settled(_ block: Block) -> Block {
            var block = block
            if !block.isSettled, Self.isKnown(block.task, in: store) {
                let rows = Self.rows(
                    for: store.rows[block.task],
                    store: store,
                    bodyHeight: bodyHeight
                )
                // A block on a later page does not shrink, so that it still shows the row of the
                // cursor.
                block.shown = block.first == 1 ? rows : max(block.shown, rows)
                block.isSettled = true
            }
            block.unfolded = block.unfolded.mapValues(settled)
            return block
        }
        root = settled(root)
        fitRows(with: former, store: store, bodyHeight: bodyHeight)
    }

    /// Unfolds children of the job as long as the tasks below them fit; ended children come last.
    private mutating func unfoldWhatFits(store: TaskStore, bodyHeight: Int) {
        guard unfoldsWhatFits, root.unfolded.isEmpty else { return }
        var room = Self.rootRows(bodyHeight: bodyHeight) - Self.highest(below: job, in: store)
        let children = root.places.compactMap { store.child(of: job, at: $0) }
        for child in children.filter({ !$0.state.isEnded }) + children.filter(\.state.isEnded) {
            guard child.isParent, let place = child.place else { continue }
            let rows = max(child.options.expectedChildren ?? 0, child.counts.sum)
            guard rows + 1 <= room else { continue }
            room -= rows + 1
            root.unfolded[place] = Block(task: child.id, shown: rows)
        }
    }

    /// Leaves the rows that no child of the job needs to the unfolded blocks.
    mutating func fitRoot(store: TaskStore, bodyHeight: Int) {
        let most = Self.rootRows(bodyHeight: bodyHeight)
        let needed = max(
            Self.highest(below: job, in: store),
            min(store.rows[job]?.options.expectedChildren ?? 0, most),
            root.unfolded.keys.max() ?? 0
        )
        let taken = root.unfolded.values.reduce(0) { $0 + $1.height }
        root.shown = min(max(most - taken, needed), most)
    }

    /// Fits the rows of the root to the unfolded blocks; the cursor moves with its row.
    mutating func fitRows(with former: Line?, store: TaskStore, bodyHeight: Int) {
        fitRoot(store: store, bodyHeight: bodyHeight)
        if let former {
            show(former)
            let index = lines.firstIndex { $0.path == former.path && $0.content == former.content }
            cursor = index ?? 0
        }
        keepCursorVisible(bodyHeight: bodyHeight)
    }

    // MARK: - What the rows of a block leave out

    /// Whether another page shows some of the tasks left out; tasks that their owner has folded
    /// away are on no page.
    func hasPages(of line: Line, in store: TaskStore) -> Bool {
        rest(of: line, in: store).sum > store.rows[line.parent]?.childrenLeftOut ?? 0
    }

    /// Whether the first page of the job is empty although later pages show children.
    func isFirstPageEmpty(in store: TaskStore) -> Bool {
        let rest = Line(content: .rest, path: [], parent: job)
        return root.first == 1 && hasPages(of: rest, in: store)
            && !root.places.contains { store.child(of: job, at: $0) != nil }
    }

    /// All tasks below the parent of a block that have no row in it, by state.
    func rest(of line: Line, in store: TaskStore) -> StateCounts {
        guard let block = block(at: line.path), var rest = store.rows[block.task]?.counts else {
            return StateCounts()
        }
        for place in block.places {
            guard let child = store.atPlace[block.task]?[place].flatMap({ store.rows[$0] }) else {
                continue
            }
            rest.add(child.counts, times: -1)
            rest.add(child.state, times: -1)
        }
        // The rows may be of different moments, so that a difference may be negative.
        let states: [WritableKeyPath<StateCounts, Int>] = [
            \.waiting, \.running, \.succeeded, \.failed, \.cancelled, \.lost,
        ]
        for state in states { rest[keyPath: state] = max(rest[keyPath: state], 0) }
        return rest
    }
}
