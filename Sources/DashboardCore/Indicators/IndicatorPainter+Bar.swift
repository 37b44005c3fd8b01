import CellScreen
import ProgressBus
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
    /// A fill that grows by a step changes one cell, and so does each end of a pulse that moves.
    func putBar(of task: TaskSnapshot, phase: Int, in field: BarField, on grid: inout CellGrid) {
        let condition = task.condition
        let fill = theme.fill(of: task)
        let isComplete = condition == .succeeded
        if task.isDeterminate || isComplete {
            let parts = grid.isMirrored ? glyphs.partsMirrored : glyphs.parts
            let perCell = parts.count + 1
            let steps = BarFill.steps(
                task.displayFraction,
                of: field.width * perCell,
                isComplete: isComplete
            )
            let (full, part) = steps.quotientAndRemainder(dividingBy: perCell)
            putTrack(from: full, in: field, on: &grid)
            for cell in 0..<full {
                grid.put(glyphs.block, column: field.column + cell, row: field.row, style: fill)
            }
            if part > 0 {
                let last = field.column + full
                grid.put(parts[part - 1], column: last, row: field.row, style: fill)
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
