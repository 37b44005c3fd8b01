import CellScreen
import ProgressBus
import TaskTree
import TaskTree

/// Where a bar is drawn.
struct BarField {
    var column: Int
    var row: Int
    var width: Int
    var hasTrack: Bool
}

extension IndicatorPainter {
    /// Draws a bar: filled as far as is known, else a pulse where somebody works on it.
    ///
    /// A fill that grows by an eighth changes one cell, and so does each end of a pulse that moves.
    func putBar(of task: TaskSnapshot, phase: Int, in field: BarField, on grid: inout CellGrid) {
        let condition = task.condition
        let fill = theme.fill(of: task)
        let isComplete = condition == .succeeded
        if task.isDeterminate || isComplete {
            let eighths = BarFill.steps(
                task.displayFraction,
                of: field.width * 8,
                isComplete: isComplete
            )
            putTrack(from: (eighths + 7) / 8, in: field, on: &grid)
            for cell in 0..<eighths / 8 {
                grid.put(glyphs.block, column: field.column + cell, row: field.row, style: fill)
            }
            if !eighths.isMultiple(of: 8) {
                putPart(eighths % 8, column: field.column + eighths / 8, field.row, fill, on: &grid)
            }
            return
        }
        putTrack(from: 0, in: field, on: &grid)
        // Nobody works on it, and how much was done is unknown.
        if condition == .waiting || task.state.isEnded { return }
        let length = max(field.width / 5, 2)
        let start = BarFill.pulseStart(
            phase: condition.isMoving ? phase : 0,
            width: field.width,
            length: length
        )
        for cell in start..<start + length {
            grid.put(glyphs.pulse, column: field.column + cell, row: field.row, style: fill)
        }
    }

    private func putTrack(from start: Int, in field: BarField, on grid: inout CellGrid) {
        guard field.hasTrack else { return }
        let style = theme.style(.track)
        for cell in start..<field.width {
            grid.put(glyphs.track, column: field.column + cell, row: field.row, style: style)
        }
    }

    /// Draws the cell in which the filled part ends.
    private func putPart(
        _ eighths: Int,
        column: Int,
        _ row: Int,
        _ style: CellStyle,
        on grid: inout CellGrid
    ) {
        guard grid.isMirrored, glyphs.eighthsFillFromLeft else {
            grid.put(glyphs.eighths[eighths - 1], column: column, row: row, style: style)
            return
        }
        // Blocks grow from the left only: what is to stay empty is drawn, and the cell reversed.
        var reversed = style
        reversed.attributes.formSymmetricDifference(.reverse)
        grid.put(glyphs.eighths[7 - eighths], column: column, row: row, style: reversed)
    }

    /// The longest of what a narrow field can say of a task in full.
    func narrowText(of task: TaskSnapshot, width: Int) -> String {
        narrowTexts(of: task).first { $0.utf8.count <= width } ?? glyphs.ellipsis
    }

    private func narrowTexts(of task: TaskSnapshot) -> [String] {
        if let percent = TaskSentence(task, at: task.madeAt).percent {
            return [percent, String(percent.dropLast())]
        }
        if task.isMeasuredByCounts {
            let done = task.counts.sum &- task.counts.waiting &- task.counts.running
            let number = HumanNumbers.compact(Int64(done), rounded: .down)
            return ["\(number)/\(HumanNumbers.compact(Int64(task.counts.sum)))", number]
        }
        return task.completed > 0 ? [HumanNumbers.compact(task.completed, rounded: .down)] : []
    }
}
