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
    /// The text of the filter; empty to show all cells.
    var filter = ""
    /// The broker's answer for a cell: the task in it, or `nil` if there is none.
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

/// Where the cells of a mosaic are: in groups of ten, each row after the number of its first cell,
/// where there is room for that.
struct MosaicLayout: Equatable, Sendable {
    private static let group = 10
    /// Columns of a number and the blank after it.
    private static let numberWidth = 7
    /// Narrower than this only cells are shown.
    private static let leastForGroups = 40

    let area: Area
    let isGrouped: Bool
    /// How many cells are in a row.
    let perRow: Int
    /// How many rows there are; the last row of the area names the cell of the cursor.
    let rows: Int

    init(_ area: Area) {
        self.area = area
        isGrouped = area.width >= Self.leastForGroups
        let groups = (area.width - Self.numberWidth + 1) / (Self.group + 1)
        perRow = max(isGrouped ? groups * Self.group : area.width, 1)
        rows = max(area.height - 1, 1)
    }

    /// The column of a cell by its place in its row, from 0.
    func column(of place: Int) -> Int {
        area.column + (isGrouped ? Self.numberWidth + place + place / Self.group : place)
    }

    /// The place within its row of the cell at a column; `nil` if no cell is there.
    func place(atColumn column: Int) -> Int? {
        (0..<perRow).first { self.column(of: $0) == column }
    }
}
