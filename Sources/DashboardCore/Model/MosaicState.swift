import ProgressBus
import TaskTree

/// The mosaic of one job: one cell per task, each keeping its cell.
struct MosaicState: Sendable {
    let job: TaskID
    var slot: Int?
    /// The cell the cursor is on, from 1.
    var cell = 1
    /// The first row of cells shown.
    var scroll = 0
    /// What is looked for; empty for everything.
    var filter = ""
    /// The task in the cell, if the broker was asked.
    var named: (cell: Int, task: TaskMatch?)?

    init(job: TaskID, slot: Int?) {
        self.job = job
        self.slot = slot
    }

    mutating func keepCursorVisible(in area: Area) {
        let cells = MosaicLayout(area)
        cell = max(cell, 1)
        scroll = scroll.scrolled(to: (cell - 1) / cells.perRow, height: cells.rows)
    }

    /// Shows as many cells as fit, the one of the cursor among them.
    mutating func refit(in area: Area, lastCell: Int) {
        let cells = MosaicLayout(area)
        let rows = (max(lastCell, cell, 1) - 1) / cells.perRow + 1
        scroll = min(scroll, max(rows - cells.rows, 0))
        keepCursorVisible(in: area)
    }
}
