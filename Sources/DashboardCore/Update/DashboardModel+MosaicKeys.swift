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
        let width = max(area.width, 1)
        let screenful = width * max(area.height - 1, 1)
        let former = mosaic.cell
        switch direction {
        case .left: mosaic.cell -= 1
        case .right: mosaic.cell += 1
        case .up: mosaic.cell -= mosaic.cell > width ? width : 0
        case .down: mosaic.cell += width
        case .pageUp: mosaic.cell -= screenful
        case .pageDown: mosaic.cell += screenful
        case .first: mosaic.cell = 1
        case .last: mosaic.cell = lastCell
        }
        mosaic.cell = min(max(mosaic.cell, 1), lastCell)
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

    /// The last cell that anybody has had.
    var lastCell: Int {
        guard let mosaic else { return 1 }
        let row = mosaic.slot.flatMap { store.job(inSlot: $0) } ?? store.rows[mosaic.job]
        let known = store.states.reduce(0) { highest, entry in
            guard case .states(mosaic.job, let block) = entry.key else { return highest }
            return max(highest, block * ViewportPart.cellsPerBlock + entry.value.count)
        }
        return max(known, row?.counts.sum ?? 0, 1)
    }
}
