package import CellScreen
package import ProgressBus
import TaskTree

/// Draws what shows how far a task is.
///
/// The same row and phase always give the same cells. The phase is a number that rises
/// `phasesPerSecond` times a second; it changes only what shows work that goes on, so that a still
/// screen costs nothing. All draw only into the field they are given, any size of which is allowed.
package struct IndicatorPainter: Sendable {
    /// Slow enough to cost little, fast enough to be seen moving.
    package static let phasesPerSecond = 5

    /// Columns from which on a bar is one; a narrower field shows a number.
    package static let leastBarWidth = 6

    let theme: Theme
    let glyphs: Glyphs

    package init(theme: Theme, glyphs: Glyphs) {
        self.theme = theme
        self.glyphs = glyphs
    }

    /// Draws one cell that says in what condition a task is.
    package func putMark(
        of task: TaskSnapshot,
        phase: Int,
        column: Int,
        row: Int,
        on grid: inout CellGrid
    ) {
        let condition = task.condition
        grid.put(
            glyphs.mark(of: condition, phase: phase),
            column: column,
            row: row,
            style: theme.style(of: task)
        )
    }

    /// Draws a task's bar or circle, as it asked for when it began.
    ///
    /// A bar takes the whole field; a circle takes the first cell and leaves the others alone. What
    /// is too narrow for a bar shows percent or counts, never a circle. Without a track the cells
    /// that are not filled are left alone too.
    package func putIndicator(
        of task: TaskSnapshot,
        phase: Int,
        hasTrack: Bool = true,
        column: Int,
        row: Int,
        width: Int,
        on grid: inout CellGrid
    ) {
        // What lies outside is not drawn, and this keeps sums of columns within reach.
        guard width > 0, column > -CellGrid.limit, column < grid.columns else { return }
        let width = min(width, CellGrid.limit)
        switch task.options.style {
        case .spinner:
            grid.put(
                circle(of: task, phase: phase),
                column: column,
                row: row,
                style: theme.fill(of: task)
            )
        case .bar where width < Self.leastBarWidth:
            grid.put(
                narrowText(of: task, width: width),
                column: column,
                row: row,
                width: width,
                style: theme.fill(of: task),
                alignment: .trailing,
                ellipsis: glyphs.ellipsis
            )
        case .bar:
            let field = BarField(column: column, row: row, width: width, hasTrack: hasTrack)
            putBar(of: task, phase: phase, in: field, on: &grid)
        }
    }

    /// Draws the one cell of a task that is done on the side.
    ///
    /// Nothing is written beside it, so it shows the condition itself unless the work goes on: then
    /// its progress, dimmed once a second where nothing else in it would move.
    package func putActivityCell(
        of task: TaskSnapshot,
        phase: Int,
        column: Int,
        row: Int,
        on grid: inout CellGrid
    ) {
        guard task.condition == .running else {
            putMark(of: task, phase: phase, column: column, row: row, on: &grid)
            return
        }
        var style = theme.fill(of: task)
        let glyph: Unicode.Scalar
        switch (task.options.style, task.isDeterminate) {
        case (.spinner, _): glyph = circle(of: task, phase: phase)
        case (.bar, false): glyph = glyphs.cellPulse.at(phase: phase)
        case (.bar, true):
            let steps = BarFill.steps(
                task.displayFraction,
                of: glyphs.cellBar.count + 1,
                isComplete: false
            )
            glyph = glyphs.cellBar[max(steps - 1, 0)]
        }
        if task.isDeterminate, phase.modulo(Self.phasesPerSecond) == 0 {
            style.attributes.formSymmetricDifference(.dim)
        }
        grid.put(glyph, column: column, row: row, style: style)
    }

    private func circle(of task: TaskSnapshot, phase: Int) -> Unicode.Scalar {
        let condition = task.condition
        let isComplete = condition == .succeeded
        if task.isDeterminate || isComplete {
            return glyphs.ring(fraction: task.displayFraction, isComplete: isComplete)
        }
        // Nobody works on it, and how much was done is unknown.
        if condition == .waiting || task.state.isEnded {
            return glyphs.ring(fraction: 0, isComplete: false)
        }
        return glyphs.circle(phase: condition.isMoving ? phase : 0)
    }
}
