import ProgressBus
import TaskTree

/// How many rows are reserved for the children of whom.
///
/// They change only by what the person does: a block that was unfolded before its children were
/// known gets its rows when they come, which is the end of that act, and never again by itself.
extension JobState {
    /// Free rows for children that begin after their parent was unfolded, where the parent does not
    /// declare how many there will be.
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

    /// The last place that a child has had from the beginning; further ones are for what has ended.
    private static func highest(below task: TaskID, in store: TaskStore) -> Int {
        let places = store.atPlace[task] ?? [:]
        return places.keys.filter { $0 <= ViewportPart.placesPerBlock }.max() ?? 0
    }

    private static func isKnown(_ task: TaskID, in store: TaskStore) -> Bool {
        store.members[.children(of: task, block: 0)] != nil
    }

    /// Gives blocks their rows whose children have come.
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
                // On a later page the row that was gone to stays in it.
                block.shown = block.first == 1 ? rows : max(block.shown, rows)
                block.isSettled = true
            }
            block.unfolded = block.unfolded.mapValues(settled)
            return block
        }
        root = settled(root)
        fitRows(with: former, store: store, bodyHeight: bodyHeight)
    }

    /// Unfolds the children of the job as long as theirs fit, what goes on before what has ended.
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

    /// Lets what is unfolded have rows that no child of the job needs.
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

    /// Fits the rows to what is unfolded now; the cursor stays on its row, wherever that is then.
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

    /// Whether any of them can be shown: what has been folded away by its owner cannot.
    func hasPages(of line: Line, in store: TaskStore) -> Bool {
        rest(of: line, in: store).sum > store.rows[line.parent]?.childrenLeftOut ?? 0
    }

    /// Whether the children of the job that have rows all come after those of its first page.
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
        // Rows are not all of one moment.
        let states: [WritableKeyPath<StateCounts, Int>] = [
            \.waiting, \.running, \.succeeded, \.failed, \.cancelled, \.lost,
        ]
        for state in states { rest[keyPath: state] = max(rest[keyPath: state], 0) }
        return rest
    }
}
