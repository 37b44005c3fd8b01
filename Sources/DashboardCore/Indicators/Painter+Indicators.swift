import CellScreen
import ProgressBus
import TaskTree

/// Draws the indicators of how far a task is.
///
/// The same row and phase always give the same cells. The phase changes only indicators of work
/// that goes on, so that a still screen costs nothing. Each indicator draws only into its field,
/// which may have any size.
extension Painter {
    /// The least columns of a bar; a narrower field shows a number.
    static let leastBarWidth = 6

    /// Draws one cell that says in what condition a task is.
    mutating func putMark(of task: TaskSnapshot, column: Int, row: Int) {
        let glyph = glyphs.mark(of: task.condition, phase: phase)
        put(glyph, theme.style(of: task), column: column, row: row)
    }

    /// Draws a task's bar or circle, as it asked for when it began.
    ///
    /// A bar takes the whole field; a circle takes the first cell and leaves the others alone. A
    /// field that is too narrow for a bar shows percent or counts, never a circle. Without a track
    /// the bar leaves its unfilled cells alone too.
    mutating func putIndicator(
        of task: TaskSnapshot,
        hasTrack: Bool = true,
        _ field: Field,
        row: Int
    ) {
        // A field outside of the grid is not drawn, which also keeps sums of columns from
        // overflowing.
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

    /// Draws the one cell of a background task.
    ///
    /// No text stands beside it, so it shows the mark of the condition, or the progress of a
    /// running task. Progress that would not move otherwise is dimmed once a second.
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
        // Only a task that goes on with an unknown fraction has a pulse.
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

    /// Draws when an ended task ran, in place of its bar: "├──┤" from its beginning to its end, in
    /// a field that stands for the time of its job.
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

    /// The longest text about a task that fits into a narrow field.
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

/// When within its job a task ran, as shares of the time that the job has taken so far.
struct RunSpan: Equatable, Sendable {
    var from: Double
    var to: Double

    /// `nil` for a task that has not ended, or whose beginning is not known.
    init?(of task: TaskSnapshot, in job: TaskSnapshot, at now: Moment) {
        guard task.state.isEnded, let begun = job.startedAt?.unixTime,
            let taken = TaskSentence(job, at: now).elapsed, taken > 0,
            let start = task.startedAt?.unixTime, let end = TaskSentence(task, at: now).end
        else { return nil }
        let (from, to) = ((start - begun) / taken, (end - begun) / taken)
        guard from.isFinite, to.isFinite else { return nil }
        self.from = min(max(from, 0), 1)
        self.to = min(max(to, self.from), 1)
    }
}
