import CellScreen
import ProgressBus
import TaskTree

/// Draws what shows how far a task is.
///
/// The same row and phase always give the same cells. The phase changes only what shows work that
/// goes on, so that a still screen costs nothing. All draw only into the field they are given, any
/// size of which is allowed.
extension Painter {
    /// Columns from which on a bar is one; a narrower field shows a number.
    static let leastBarWidth = 6

    /// Draws one cell that says in what condition a task is.
    mutating func putMark(of task: TaskSnapshot, column: Int, row: Int) {
        let glyph = glyphs.mark(of: task.condition, phase: phase)
        put(glyph, theme.style(of: task), column: column, row: row)
    }

    /// Draws a task's bar or circle, as it asked for when it began.
    ///
    /// A bar takes the whole field; a circle takes the first cell and leaves the others alone. What
    /// is too narrow for a bar shows percent or counts, never a circle. Without a track the cells
    /// that are not filled are left alone too.
    mutating func putIndicator(
        of task: TaskSnapshot,
        hasTrack: Bool = true,
        _ field: Field,
        row: Int
    ) {
        // What lies outside is not drawn, and this keeps sums of columns within reach.
        guard field.width > 0, field.start > -CellGrid.limit, field.start < grid.columns else {
            return
        }
        let field = Field(start: field.start, width: min(field.width, CellGrid.limit))
        let fill = theme.fill(of: task)
        switch task.options.style {
        case .spinner: put(circle(of: task), fill, column: field.start, row: row)
        case .bar where field.width < Self.leastBarWidth:
            put(narrowText(of: task, width: field.width), fill, field, row: row, .trailing)
        case .bar: putBar(of: task, hasTrack: hasTrack, field, row: row)
        }
    }

    /// Draws the one cell of a task that is done on the side.
    ///
    /// Nothing is written beside it, so it shows the condition itself unless the work goes on: then
    /// its progress, dimmed once a second where nothing else in it would move.
    mutating func putActivityCell(of task: TaskSnapshot, column: Int, row: Int) {
        guard task.condition == .running else {
            return putMark(of: task, column: column, row: row)
        }
        var style = theme.fill(of: task)
        let glyph: Unicode.Scalar
        switch (task.options.style, task.isDeterminate) {
        case (.spinner, _): glyph = circle(of: task)
        case (.bar, false): glyph = glyphs.cellPulse.at(phase: phase)
        case (.bar, true): glyph = glyphs.cellBar(fraction: task.displayFraction)
        }
        if task.isDeterminate, phase.modulo(Self.phasesPerSecond) == 0 {
            style.attributes.formSymmetricDifference(.dim)
        }
        put(glyph, style, column: column, row: row)
    }

    private func circle(of task: TaskSnapshot) -> Unicode.Scalar {
        let condition = task.condition
        let isComplete = condition == .succeeded
        if task.isDeterminate || isComplete {
            return glyphs.ring(fraction: task.displayFraction, isComplete: isComplete)
        }
        // The task does not run, and its fraction is unknown.
        if condition == .waiting || task.state.isEnded {
            return glyphs.ring(fraction: 0, isComplete: false)
        }
        return glyphs.circle.at(phase: condition.isMoving ? phase : 0)
    }
}
