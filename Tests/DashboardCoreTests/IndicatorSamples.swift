import CellScreen
import ProgressBus
import TaskTree

@testable import DashboardCore

extension TaskSnapshot {
    /// A task in a condition, of known progress if a fraction is given.
    static func shown(
        _ condition: TaskCondition = .running,
        _ fraction: Double? = nil,
        style: TaskStyle = .bar
    ) -> TaskSnapshot {
        let id = TaskID(index: 1, session: SessionID(rawValue: 1))
        var row = TaskSnapshot(id: id, title: "copy")
        row.options.style = style
        if let fraction {
            row.isIndeterminate = false
            row.total = 1_000
            row.completed = Int64(fraction * 1_000)
            row.bothFractions = condition == .succeeded ? 1 : fraction
        }
        switch condition {
        case .waiting: row.state = .waiting
        case .running: row.state = .running
        case .stalled: row.isStalled = true
        case .silent: row.isSilent = true
        case .paused: row.state = .paused
        case .cancelling: row.state = .cancelling
        case .succeeded: row.state = .succeeded
        case .failed: row.state = .failed
        case .cancelled: row.state = .cancelled
        case .lost: (row.state, row.needsAttention) = (.lost, true)
        }
        return row
    }

    /// The four looks, and a parent of which only counts are known.
    static func looks(_ condition: TaskCondition) -> [TaskSnapshot] {
        var parent = shown(condition)
        parent.isIndeterminate = false
        parent.counts.running = 3
        return [
            shown(condition), shown(condition, 0.4), shown(condition, style: .spinner),
            shown(condition, 0.4, style: .spinner), parent,
        ]
    }
}

/// Cells of one row, drawn upon as by the dashboard.
struct Canvas {
    private let painter: Painter

    var grid: CellGrid { painter.grid }

    init(
        _ columns: Int = 10,
        rows: Int = 1,
        theme: Theme = .standard,
        glyphs: Glyphs = .unicode,
        isMirrored: Bool = false
    ) {
        var options = DashboardOptions()
        (options.theme, options.glyphs, options.isMirrored) = (theme, glyphs, isMirrored)
        let now = Moment(nanoseconds: 0)
        painter = Painter(options, columns: columns, rows: rows, at: now, clock: now)
    }

    /// What is seen after something was drawn upon it.
    func drawn(phase: Int = 0, _ draw: (inout Painter) -> Void) -> CellGrid {
        var painter = painter
        painter.phase = phase
        draw(&painter)
        return painter.grid
    }

    func mark(_ row: TaskSnapshot, phase: Int = 0) -> CellGrid {
        drawn(phase: phase) { $0.putMark(of: row, column: 0, row: 0) }
    }

    func indicator(
        _ row: TaskSnapshot,
        phase: Int = 0,
        hasTrack: Bool = true,
        width: Int? = nil
    ) -> CellGrid {
        let field = Field(width: width ?? grid.columns)
        return drawn(phase: phase) {
            $0.putIndicator(of: row, hasTrack: hasTrack, field, row: 0)
        }
    }

    func activityCell(_ row: TaskSnapshot, phase: Int = 0) -> CellGrid {
        drawn(phase: phase) { $0.putActivityCell(of: row, column: 0, row: 0) }
    }
}

extension CellGrid {
    /// How many cells differ.
    func changes(from other: CellGrid) -> Int {
        zip(cells(row: 0), other.cells(row: 0)).count { $0 != $1 }
    }
}
