import ProgressBus
import TaskTree

/// Keys in the mosaic, where each task has a cell.
extension DashboardModel {
    mutating func moveInMosaic(
        _ direction: KeyAction.Direction,
        _ actions: inout [DashboardAction]
    ) {
        guard var mosaic else { return }
        let area = layout.body
        let cells = MosaicLayout(area)
        let (width, screenful) = (cells.perRow, cells.perRow * cells.rows)
        let former = mosaic.cell
        let wanted: (cell: Int, by: Int) =
            switch direction {
            case .left: (mosaic.cell - 1, -1)
            case .right: (mosaic.cell + 1, 1)
            case .up: (mosaic.cell > width ? mosaic.cell - width : mosaic.cell, -1)
            case .down: (mosaic.cell + width, 1)
            case .pageUp: (mosaic.cell - screenful, -1)
            case .pageDown: (mosaic.cell + screenful, 1)
            case .first: (1, 1)
            case .last: (.max, -1)
            }
        let stop = Self.nearestStop(to: wanted.cell, by: wanted.by, in: 1...lastCell) {
            isStop(cell: $0, in: mosaic)
        }
        mosaic.cell = stop ?? mosaic.cell
        mosaic.keepCursorVisible(in: area)
        self.mosaic = mosaic
        if mosaic.cell != former || mosaic.named == nil { nameCell(&actions) }
    }

    /// Shows the task of the cell in its tree.
    mutating func openCell(at now: Moment) {
        guard let mosaic else { return }
        if let found = mosaic.named?.task, mosaic.named?.cell == mosaic.cell {
            open(job: found.job, slot: found.slot)
            reveal(found)
        } else if frozen != nil {
            note = Note("the frozen picture has no name for this cell; f goes on", at: now)
        }
    }

    /// Asks who is in the cell of the cursor.
    mutating func nameCell(_ actions: inout [DashboardAction]) {
        guard let mosaic, frozen == nil else {
            // The bus knows who is in the cell now, not who was.
            self.mosaic?.asked = nil
            self.mosaic?.named = nil
            return
        }
        let action = search(.cell(mosaic.cell, of: mosaic.job), .cell(mosaic.cell))
        self.mosaic?.asked = (lastRequest, mosaic.cell)
        self.mosaic?.named = nil
        // Answers to older questions are of no use any more.
        searches = searches.filter { entry in
            if case .cell = entry.value { entry.key == lastRequest } else { true }
        }
        actions.append(action)
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
        let block = (counted - 1) / ViewportPart.cellsPerBlock
        let isKnown = store.states[.states(of: mosaic.job, block: block)] != nil
        return isKnown ? known : max(known, counted)
    }
}
