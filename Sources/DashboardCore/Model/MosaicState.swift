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
    /// The question on its way.
    var asked: (request: Int, cell: Int)?

    init(job: TaskID, slot: Int?) {
        self.job = job
        self.slot = slot
    }
}
