import ProgressBus
import TaskTree

/// Keys in the mosaic, where each task has a cell.
extension DashboardModel {
    mutating func toggleMosaic() {
        if mosaic != nil {
            mosaic = nil
            return
        }
        // The task of the cursor has its cell there.
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

    /// Asks who is in the cell of the cursor; `opens`: to show that task in its tree.
    mutating func nameCell(opens: Bool = false) {
        mosaic?.named = nil
        // Answers to older questions are of no use any more.
        pending.searches = pending.searches.filter { entry in
            if case .cell = entry.value { false } else { true }
        }
        // The bus knows who is in the cell now, not who was.
        guard let mosaic, frozen == nil else { return }
        search(.cell(mosaic.cell, of: mosaic.job), .cell(mosaic.cell, opens: opens))
    }

    /// The last cell that anybody has.
    var lastCell: Int {
        guard let mosaic else { return 1 }
        let row = mosaic.slot.flatMap { store.job(inSlot: $0) } ?? store.rows[mosaic.job]
        let known = store.states.reduce(1) { highest, entry in
            guard case .states(mosaic.job, let block) = entry.key,
                let last = entry.value.lastIndex(where: { MosaicCell($0) != nil })
            else { return highest }
            return max(highest, block * ViewportPart.cellsPerBlock + last + 1)
        }
        // As many cells as tasks, unless the last block is known to be empty there.
        let counted = max(row?.counts.sum ?? 0, 1)
        let isKnown = store.states[.holding(cellOf: mosaic.job, at: counted)] != nil
        return isKnown ? known : max(known, counted)
    }
}
