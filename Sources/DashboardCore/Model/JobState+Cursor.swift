import ProgressBus
import TaskTree

/// The cursor in the tree of a job, and what the person folds and unfolds there.
extension JobState {
    var line: Line? {
        let lines = lines
        return lines.indices.contains(cursor) ? lines[cursor] : nil
    }

    /// The task that a line shows now.
    func task(at line: Line, in store: TaskStore) -> TaskID? {
        switch line.content {
        case .job: job
        case .place(let place): store.atPlace[line.parent]?[place]
        case .rest: nil
        }
    }

    func row(at line: Line, in store: TaskStore) -> TaskSnapshot? {
        task(at: line, in: store).flatMap { store.rows[$0] }
    }

    /// Moves the cursor to a row.
    mutating func moveCursor(to index: Int, store: TaskStore, bodyHeight: Int) {
        let lines = lines
        cursor = min(max(index, 0), lines.count - 1)
        bound = task(at: lines[cursor], in: store)
        keepCursorVisible(bodyHeight: bodyHeight)
    }

    mutating func keepCursorVisible(bodyHeight: Int) {
        let count = lines.count
        cursor = min(max(cursor, 0), count - 1)
        scroll = scroll.scrolled(to: cursor, height: bodyHeight, of: count)
    }

    /// Shows the children of the row of the cursor, or hides them.
    mutating func toggleUnfolding(store: TaskStore, bodyHeight: Int) {
        guard let line, case .place(let place) = line.content else { return }
        if let block = block(below: line) {
            let present = task(at: line, in: store)
            if block.task == present || present == nil {
                change(at: line.path) { $0.unfolded[place] = nil }
            } else if let present {
                // Another task has taken the place: its children come into the same rows.
                change(at: line.path) {
                    $0.unfolded[place] = Block(task: present, shown: block.shown, isSettled: true)
                }
            }
        } else if let row = row(at: line, in: store) {
            let shown = Self.rows(for: row, store: store, bodyHeight: bodyHeight)
            change(at: line.path) { $0.unfolded[place] = Block(task: row.id, shown: shown) }
            settle(store: store, bodyHeight: bodyHeight)
        }
        fitRoot(store: store, bodyHeight: bodyHeight)
        keepCursorVisible(bodyHeight: bodyHeight)
    }

    /// Unfolds every parent that has a row; the parents below them unfold with the next call.
    mutating func unfoldAll(store: TaskStore, bodyHeight: Int) {
        let former = line
        for line in lines where !line.isUnfolded && blocks.count < Self.mostUnfolded {
            guard case .place(let place) = line.content,
                let row = row(at: line, in: store), row.isParent
            else { continue }
            let shown = Self.rows(for: row, store: store, bodyHeight: bodyHeight)
            change(at: line.path) { $0.unfolded[place] = Block(task: row.id, shown: shown) }
        }
        settle(store: store, bodyHeight: bodyHeight)
        fitRows(with: former, store: store, bodyHeight: bodyHeight)
    }

    /// Folds all children of the job, and puts the cursor on the child that it was on or below.
    mutating func foldAll(store: TaskStore, bodyHeight: Int) {
        let former = line
        root.unfolded = [:]
        fitRoot(store: store, bodyHeight: bodyHeight)
        let content = former?.path.first.map(Line.Content.place) ?? former?.content
        let index = lines.firstIndex { $0.content == content } ?? 0
        moveCursor(to: index, store: store, bodyHeight: bodyHeight)
    }

    /// Unfolds the way to a task and puts the cursor on its row.
    mutating func reveal(_ found: TaskMatch, store: TaskStore, bodyHeight: Int) {
        bound = found.task
        guard found.path.count == found.places.count, !found.path.isEmpty else {
            cursor = 0
            keepCursorVisible(bodyHeight: bodyHeight)
            return
        }
        // A person who goes from match to match does not want to see the way to each of them.
        if blocks.count + found.path.count > Self.mostUnfolded { root.unfolded = [:] }
        for (depth, place) in found.places.enumerated() {
            let path = Array(found.places.prefix(depth))
            show(place, at: path)
            guard depth + 1 < found.path.count else { continue }
            let task = found.path[depth + 1]
            change(at: path) { block in
                guard block.unfolded[place]?.task != task else { return }
                let shown = block.unfolded[place]?.shown ?? Self.leastRows
                block.unfolded[place] = Block(task: task, shown: shown)
            }
        }
        let path = Array(found.places.dropLast())
        let content = Line.Content.place(found.places[found.places.count - 1])
        cursor = lines.firstIndex { $0.path == path && $0.content == content } ?? cursor
        keepCursorVisible(bodyHeight: bodyHeight)
    }

    /// Turns to the page of a place, in the block at the end of a path.
    private mutating func show(_ place: Int, at path: [Int]) {
        change(at: path) { block in
            guard !block.places.contains(place) else { return }
            block.first = max((place - 1) / block.shown * block.shown + 1, 1)
        }
    }

    /// Turns the blocks above a line to the pages that show the line.
    mutating func show(_ line: Line) {
        guard case .place(let last) = line.content else { return }
        for (depth, place) in (line.path + [last]).enumerated() {
            show(place, at: Array(line.path.prefix(depth)))
        }
    }

    /// Gives every block as many rows as it has children, and removes the blocks of tasks that have
    /// left their place.
    mutating func refit(bodyHeight: Int, store: TaskStore) {
        let former = line
        func fit(_ block: Block, isRoot: Bool) -> Block {
            var fitted = block
            fitted.isSettled = true
            fitted.shown =
                isRoot
                ? Self.rootRows(bodyHeight: bodyHeight)
                : Self.rows(for: store.rows[block.task], store: store, bodyHeight: bodyHeight)
            if fitted.shown >= Self.children(of: store.rows[block.task]) { fitted.first = 1 }
            fitted.unfolded = [:]
            for (place, below) in block.unfolded
            where store.atPlace[block.task]?[place] == below.task {
                fitted.unfolded[place] = fit(below, isRoot: false)
            }
            return fitted
        }
        root = fit(root, isRoot: true)
        fitRows(with: former, store: store, bodyHeight: bodyHeight)
    }

    /// How many children a task may have: the number that it expects or the number of all tasks
    /// below it, whichever is greater.
    static func children(of row: TaskSnapshot?) -> Int {
        guard let row else { return 0 }
        return max(row.options.expectedChildren ?? 0, row.counts.sum)
    }
}

/// The pages of a block that has more places than rows.
extension JobState {
    /// Turns the block that the cursor is in to its next page; the first page follows the last.
    mutating func turnPage(by direction: Int, store: TaskStore) {
        guard let line, let block = block(at: line.path) else { return }
        let next = Self.pages(of: block, in: store).next(after: block.first, by: direction)
        change(at: line.path) { $0.first = next ?? 1 }
        bound = self.line.flatMap { task(at: $0, in: store) }
    }

    /// The first place of each page.
    ///
    /// Behind the first places the broker also shows children that have ended and lost their place
    /// to another child; the pages leave out the empty places between.
    private static func pages(of block: Block, in store: TaskStore) -> [Int] {
        let row = store.rows[block.task]
        let seen = store.atPlace[block.task] ?? [:]
        let firstPlaces = ViewportPart.placesPerBlock
        let near = max(
            seen.keys.filter { $0 <= firstPlaces }.max() ?? 0,
            min(row?.options.expectedChildren ?? 0, firstPlaces)
        )
        var pages = [Int](stride(from: 1, through: max(near, 1), by: block.shown))
        // Each child without a row here accounts for at least one of the hidden tasks.
        let below = seen.values.reduce(0) { $0 + 1 + (store.rows[$1]?.counts.sum ?? 0) }
        let hidden = max((row?.counts.sum ?? 0) - below, 0)
        let last = max(seen.keys.max() ?? 0, children(of: row), firstPlaces + hidden)
        let further = max((pages.last ?? 1) + block.shown, firstPlaces + 1)
        pages += stride(from: further, through: last, by: block.shown)
        return pages
    }
}
