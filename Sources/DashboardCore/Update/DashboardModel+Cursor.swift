import ProgressBus
import TaskTree

/// Where the cursor of a view is: on a slot of the board, a row of its copy, a line of the tree, a
/// cell of the mosaic.
///
/// The cursor stands only on places that show something, or that are not known yet.
extension DashboardModel {
    var cursor: Int {
        switch view {
        case .board: board.slot
        case .ordered: ordered?.cursor ?? 0
        case .job: job?.cursor ?? 0
        case .mosaic: mosaic?.cell ?? 1
        }
    }

    /// All places of the view; `nil` if it has none.
    private var places: ClosedRange<Int>? {
        switch view {
        case .board: 1...max(store.highestSlot, 1)
        case .ordered: ordered?.rows.flatMap { $0.isEmpty ? nil : 0...$0.count - 1 }
        case .job: job.map { 0...$0.lines.count - 1 }
        case .mosaic: 1...lastCell
        }
    }

    /// Puts the cursor on a place.
    mutating func moveCursor(to place: Int) {
        let body = layout.body
        switch view {
        case .board:
            board.slot = place
            bind()
        case .ordered:
            ordered?.cursor = place
            orderedCursorMoved()
        case .job: job?.moveCursor(to: place, store: store, bodyHeight: body.height)
        case .mosaic:
            let isNamed = mosaic?.cell == place && mosaic?.named != nil
            mosaic?.cell = place
            mosaic?.keepCursorVisible(in: body)
            if !isNamed { nameCell() }
        }
    }

    /// Moves by a place, a row or a screenful, as the view has them.
    mutating func moveCursor(_ direction: KeyAction.Direction) {
        guard let places else { return }
        let (row, page) = strides
        let step = direction.step(from: cursor, row: row, page: page)
        // There is no row above the first.
        let isOver = direction == .up && step.to < places.lowerBound
        moveCursor(near: isOver ? cursor : step.to, by: step.by)
        if direction == .first, let job, view == .job, job.root.first > 1 { findFirstPage() }
    }

    /// Moves the cursor to the first stop from a wanted place on in a direction, or else to the
    /// first one backwards.
    mutating func moveCursor(near place: Int, by direction: Int) {
        guard let places else { return }
        let isStop = isStop
        if let stop = places.nearest(to: place, by: direction, where: isStop) {
            moveCursor(to: stop)
        }
    }

    /// How many places are in a row, and how many on the screen.
    private var strides: (row: Int, page: Int) {
        let body = layout.body
        switch view {
        case .board: return (1, board.perPage(bodyHeight: body.height))
        case .ordered: return (1, OrderedBoard.shown(bodyHeight: body.height))
        case .job: return (1, max(body.height - 1, 1))
        case .mosaic:
            let cells = MosaicLayout(body)
            return (cells.perRow, cells.perRow * cells.rows)
        }
    }

    /// The place that is drawn in a cell of the body; `nil` where there is none.
    func place(line: Int, column: Int) -> Int? {
        let body = layout.body
        guard (0..<body.height).contains(line), (0..<body.width).contains(column) else {
            return nil
        }
        let place: Int
        switch view {
        case .board:
            let slots = board.slots(bodyHeight: body.height)
            let slot = slots.lowerBound + line / board.height
            return slots.contains(slot) ? slot : nil
        case .ordered:
            guard line < OrderedBoard.shown(bodyHeight: body.height) else { return nil }
            place = (ordered?.scroll ?? 0) + line
        case .job: place = (job?.scroll ?? 0) + line
        case .mosaic:
            let cells = MosaicLayout(body)
            guard let mosaic, let cell = cells.place(atColumn: column) else { return nil }
            place = (mosaic.scroll + line) * cells.perRow + cell + 1
        }
        return places?.contains(place) == true ? place : nil
    }

    // MARK: - Where it can stand

    /// Whether the cursor can stand on a place of the view.
    var isStop: (Int) -> Bool {
        switch view {
        case .board: return { canStand(onSlot: $0) }
        case .ordered:
            let rows = ordered?.rows ?? []
            return { matches(rows[$0]) }
        case .job:
            guard let job else { return { _ in false } }
            let lines = job.lines
            return { canStand(on: lines[$0], in: job) }
        case .mosaic:
            guard let mosaic else { return { _ in false } }
            return { canStand(onCell: $0, in: mosaic) }
        }
    }

    /// Whether a slot has a job that the filter shows, or is on a page that has not come yet.
    private func canStand(onSlot slot: Int) -> Bool {
        store.inSlot[slot].map(shows) ?? (store.members[.holding(slot: slot)] == nil)
    }

    private func canStand(on line: JobState.Line, in job: JobState) -> Bool {
        switch line.content {
        case .job: return true
        case .rest: return job.hasPages(of: line, in: store)
        case .place(let place):
            guard let task = job.task(at: line, in: store) else {
                return store.members[.holding(childOf: line.parent, at: place)] == nil
            }
            return shows(task, at: line)
        }
    }

    /// Whether a cell has a task that matches the filter, or is in a block that has not come yet.
    private func canStand(onCell cell: Int, in mosaic: MosaicState) -> Bool {
        guard store.states[.holding(cellOf: mosaic.job, at: cell)] != nil else { return true }
        return MosaicCell(store.byte(ofCell: cell, in: mosaic.job)).map(matches) ?? false
    }

    /// Moves the cursor back from the line for the rest of a block once no page shows more of it.
    mutating func leaveBlankLine() {
        guard let job, let line = job.line, line.content == .rest, !canStand(on: line, in: job)
        else { return }
        let lines = job.lines
        let stop = (0...lines.count - 1).nearest(to: job.cursor, by: -1) {
            canStand(on: lines[$0], in: job)
        }
        inTree { $0.moveCursor(to: stop ?? 0, store: $1, bodyHeight: $2) }
    }
}

extension ClosedRange<Int> {
    /// The first stop from a wanted place on in a direction, or else the first one backwards.
    func nearest(to wanted: Int, by direction: Int, where isStop: (Int) -> Bool) -> Int? {
        let wanted = Swift.min(Swift.max(wanted, lowerBound), upperBound)
        let (after, before) = (wanted...upperBound, lowerBound...wanted)
        return direction > 0
            ? after.first(where: isStop) ?? before.last(where: isStop)
            : before.last(where: isStop) ?? after.first(where: isStop)
    }
}

extension [Int] {
    /// The next of these rising numbers in a direction; the first follows the last.
    func next(after present: Int, by direction: Int) -> Int? {
        direction > 0
            ? first { $0 > present } ?? first : last { $0 < present } ?? last
    }
}

/// The task that the cursor is on.
extension DashboardModel {
    /// The task in the row of the cursor at this moment.
    var selected: TaskID? { view == .mosaic ? selectedCell?.task : task(at: cursor) }

    /// The task in a row of the view; `nil` in the mosaic, which has cells instead.
    func task(at place: Int) -> TaskID? {
        switch view {
        case .board: return store.inSlot[place]
        case .ordered:
            guard let rows = ordered?.rows, rows.indices.contains(place),
                store.rows[rows[place]] != nil
            else { return nil }
            return rows[place]
        case .job:
            let lines = job?.lines ?? []
            guard lines.indices.contains(place) else { return nil }
            return job?.task(at: lines[place], in: store)
        case .mosaic: return nil
        }
    }

    /// The task in the cell of the cursor, once the broker has named it.
    var selectedCell: TaskMatch? {
        guard view == .mosaic, let mosaic, let named = mosaic.named, named.cell == mosaic.cell
        else { return nil }
        return named.task
    }

    /// The task that the person put the cursor on.
    var bound: TaskID? {
        switch view {
        case .board: board.bound
        case .job: job?.bound
        case .ordered, .mosaic: selected
        }
    }

    /// The row an action is for.
    ///
    /// `nil`, with a note, if there is no task with a row, if the filter hides it, or if another
    /// task has come into the row since the person put the cursor there: a key that was meant for
    /// the former task must not reach its successor.
    mutating func target() -> TaskSnapshot? {
        let task = selected
        guard let task, let row = store.rows[task] else {
            let isCell = view == .mosaic && task != nil
            return refuse(
                isCell
                    ? "Enter shows the task in its tree, where it can be asked"
                    : "there is no task in this row"
            )
        }
        if isSelectedHidden { return refuse("the filter hides what is in this row; Esc shows it") }
        if let bound, bound != task {
            bind()
            return refuse("this row now shows \"\(row.title)\"; press the key again for it")
        }
        bind()
        return row
    }

    private mutating func refuse(_ reason: String) -> TaskSnapshot? {
        say(reason)
        return nil
    }

    /// Binds the cursor to the task that is in its row now.
    mutating func bind() {
        let present = selected
        switch view {
        case .board: board.bound = present
        case .job: job?.bound = present
        case .ordered, .mosaic: break
        }
    }
}
