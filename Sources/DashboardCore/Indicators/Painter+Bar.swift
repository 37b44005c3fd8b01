import CellScreen
import ProgressBus
import TaskTree

extension Painter {
    /// Draws a bar: filled up to the known fraction; without one a pulse, if the task runs.
    ///
    /// A fill that grows by a step changes one cell, and so does each end of a pulse that moves.
    mutating func putBar(of task: TaskSnapshot, hasTrack: Bool, _ field: Field, row: Int) {
        let condition = task.condition
        let fill = theme.fill(of: task)
        let isComplete = condition == .succeeded
        let isKnown = task.isDeterminate || isComplete
        let perCell = glyphs.parts.count + 1
        let all = field.width * perCell
        let steps =
            isKnown ? BarFill.steps(task.displayFraction, of: all, isComplete: isComplete) : 0
        let (full, part) = steps.quotientAndRemainder(dividingBy: perCell)
        let end = field.start + full
        if hasTrack { put(glyphs.track, theme.style(.track), end..<field.end, row: row) }
        put(glyphs.block, fill, field.start..<end, row: row)
        if part > 0 { put(glyphs.parts[part - 1], fill, column: end, row: row) }
        // The task does not run, and its fraction is unknown.
        if isKnown || condition == .waiting || task.state.isEnded { return }
        let length = max(field.width / 5, 2)
        let offset = BarFill.pulseStart(
            phase: condition.isMoving ? phase : 0,
            width: field.width,
            length: length
        )
        let start = field.start + offset
        put(glyphs.pulse, fill, start..<start + length, row: row)
    }

    /// Draws when a task ran, in the place of its bar, which would only say that it has ended: "├──┤"
    /// from its beginning to its end, where the field is the time of its job.
    mutating func putSpan(_ span: RunSpan, of task: TaskSnapshot, _ field: Field, row: Int) {
        guard field.width > 0 else { return }
        let style = theme.fill(of: task)
        let width = Double(field.width)
        let first = field.start + min(Int(span.from * width), field.width - 1)
        let last = field.start + min(Int((span.to * width).rounded(.up)), field.width) - 1
        guard first < last else {
            return put(glyphs.box.vertical, style, column: first, row: row)
        }
        put(glyphs.box.horizontal, style, first..<last, row: row)
        put(glyphs.spanBegin, style, column: first, row: row)
        put(glyphs.spanEnd, style, column: last, row: row)
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
