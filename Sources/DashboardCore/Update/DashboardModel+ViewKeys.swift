import ProgressBus
import TaskTree

/// What keys do on the board and on its copy in another order.
extension DashboardModel {
    mutating func setHeight(_ height: Int) {
        board.height = min(max(height, 1), BoardState.greatestHeight)
        board.lines = [:]
        fillLines()
    }

    /// Opens the job of the cursor, or the details of a job without children.
    mutating func openSelected() {
        guard let id = selected, let row = store.rows[id] else {
            return say("there is no job in this slot")
        }
        bind()
        guard row.isParent else { return toggle(.details) }
        open(job: row.id, slot: row.slot)
    }

    /// Opens the copy of the board, or changes the copy to its next order.
    mutating func orderBoard() {
        guard hasTasks else { return say("there is no job to put in order") }
        let filter = self.filter
        ordered = OrderedBoard(ordered?.order.next ?? .timeLeft)
        ordered?.filter = filter
        fillOrder()
    }

    /// Fills the copy as soon as all jobs are here; at once, unless there are more than a page.
    mutating func fillOrder() {
        guard ordered != nil, ordered?.rows == nil, isBoardComplete else { return }
        ordered?.fill(with: store.inSlot.values.compactMap { store.row($0) }, at: now)
        orderedCursorMoved()
    }

    /// Puts the cursor of the board behind the copy on the same job.
    mutating func orderedCursorMoved() {
        let height = layout.body.height
        ordered?.keepCursorVisible(bodyHeight: height)
        guard let slot = selected.flatMap({ store.rows[$0]?.slot }) else { return }
        board.slot = slot
        board.bound = selected
    }

    /// Whether all jobs of the board are here, as far as it is searched.
    var isBoardComplete: Bool {
        store.connection == .live && allPages.allSatisfy { store.members[$0] != nil }
    }
}

/// Keys in the tree of a job.
extension DashboardModel {
    mutating func moveInJob(_ direction: KeyAction.Direction) {
        switch direction {
        case .up, .down, .first, .last: moveCursor(direction)
        case .pageUp: page(direction, by: -1)
        case .pageDown: page(direction, by: 1)
        case .left: fold()
        case .right: unfold()
        }
    }

    /// Enter: unfolds or folds the task of the cursor, shows the details of a task without
    /// children, or turns the page on the last line of a block.
    mutating func chooseInJob() {
        guard let job, let line = job.line, line.content != .job else { return }
        if line.content == .rest {
            self.job?.turnPage(by: 1, store: store)
        } else if isParent(line, in: job) {
            toggleUnfolding()
        } else if job.task(at: line, in: store) != nil {
            toggle(.details)
        }
    }

    private mutating func toggleUnfolding() {
        inTree { $0.toggleUnfolding(store: $1, bodyHeight: $2) }
    }

    /// Unfolds the task of the cursor, or moves the cursor to its unfolded children.
    private mutating func unfold() {
        guard let job, let line = job.line else { return }
        if line.isUnfolded {
            moveCursor(near: job.cursor + 1, by: 1)
        } else if line.content != .rest, isParent(line, in: job) {
            toggleUnfolding()
        }
    }

    private func isParent(_ line: JobState.Line, in job: JobState) -> Bool {
        line.isUnfolded || store.row(job.task(at: line, in: store))?.isParent == true
    }

    /// Folds what is unfolded at the cursor, or goes to the row of the parent.
    private mutating func fold() {
        guard let job, let line = job.line, line.content != .job else { return }
        guard !line.isUnfolded else { return toggleUnfolding() }
        let parent = job.lines.firstIndex { other in
            guard let place = line.path.last else { return other.content == .job }
            return other.path == line.path.dropLast() && other.content == .place(place)
        }
        moveCursor(to: parent ?? 0)
    }

    /// Moves the cursor by a screenful, or at the ends of the job's children turns their page.
    private mutating func page(_ direction: KeyAction.Direction, by step: Int) {
        guard let job else { return }
        let stops = job.lines.indices.dropFirst().filter(isStop)
        let isAtEnd =
            step > 0 ? job.cursor >= stops.last ?? 0 : job.cursor <= stops.first ?? 0
        if isAtEnd, job.line?.path.isEmpty == true, job.cursor > 0 {
            self.job?.turnPage(by: step, store: store)
        } else {
            moveCursor(direction)
        }
    }
}

/// Keys in the mosaic, where each task has a cell.
extension DashboardModel {
    mutating func toggleMosaic() {
        if mosaic != nil {
            mosaic = nil
            return
        }
        // The cursor of the mosaic begins on the cell of the selected task.
        let cell = view == .job ? selected.flatMap { store.rows[$0]?.cell } : nil
        guard let id = job?.job ?? selected, let row = store.rows[id] ?? job?.last else {
            return say("there is no job in this slot")
        }
        guard row.isParent else { return say("nothing is below \"\(row.title)\"") }
        mosaic = MosaicState(job: row.job, slot: job?.slot ?? row.slot)
        if let cell { mosaic?.cell = cell }
        let body = layout.body
        mosaic?.keepCursorVisible(in: body)
        nameCell()
    }

    /// Shows the task of the cell in its tree.
    mutating func openCell() {
        if let found = selectedCell {
            open(job: found.job, slot: found.slot)
            reveal(found)
        } else if frozen != nil {
            say("the frozen picture has no name for this cell; f goes on")
        } else {
            nameCell(opens: true)
        }
    }

    /// Asks the broker which task is in the cell of the cursor; `opens`: to show that task in its
    /// tree.
    mutating func nameCell(opens: Bool = false) {
        mosaic?.named = nil
        // Answers to older questions are of no use any more.
        pending.searches = pending.searches.filter { entry in
            if case .cell = entry.value { false } else { true }
        }
        // The broker knows which task is in the cell now, not which one the frozen picture shows.
        guard let mosaic, frozen == nil else { return }
        search(.cell(mosaic.cell, of: mosaic.job), .cell(mosaic.cell, opens: opens))
    }

    /// The last cell that has a task.
    var lastCell: Int {
        guard let mosaic else { return 1 }
        let row = mosaic.slot.flatMap { store.job(inSlot: $0) } ?? store.rows[mosaic.job]
        let known = store.states.reduce(1) { highest, entry in
            guard case .states(mosaic.job, let block) = entry.key,
                let last = entry.value.lastIndex(where: { MosaicCell($0) != nil })
            else { return highest }
            return max(highest, block * ViewportPart.cellsPerBlock + last + 1)
        }
        // There may be as many cells as tasks, unless the block of the last one is here and tells.
        let counted = max(row?.counts.sum ?? 0, 1)
        let isKnown = store.states[.holding(cellOf: mosaic.job, at: counted)] != nil
        return isKnown ? known : max(known, counted)
    }
}
