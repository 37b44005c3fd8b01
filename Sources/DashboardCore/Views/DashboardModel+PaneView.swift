import CellScreen
import ProgressBus
import TaskTree

/// Beside or below the view: everything about the selected task, or what its job has said.
extension DashboardModel {
    private static let plotHeight = 3

    func drawPane(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard let pane, area.height > 0, area.width > 0 else { return }
        let row = store.row(selected)
        let name = pane == .details ? "Details" : "Messages"
        let heading = subject(of: pane, painter).map { name + ": " + $0 } ?? name
        let rule = String(repeating: Character(painter.glyphs.box.horizontal), count: area.width)
        painter.put(rule, .faint, column: area.column, row: area.row, width: area.width, on: &grid)
        let title = " " + heading + " "
        let width = min(DisplayText.width(of: title), max(area.width - 2, 0))
        painter.put(title, .title, column: area.column + 1, row: area.row, width: width, on: &grid)
        let inside = ScreenLayout.Area(
            column: area.column + 1,
            row: area.row + 1,
            width: max(area.width - 1, 0),
            height: area.height - 1
        )
        switch pane {
        case .details:
            if let row {
                drawDetails(of: row, inside, painter, on: &grid)
            } else if selectedCell != nil {
                let words = "Enter shows it in its tree, with all that is known of it"
                let (column, top, width) = (inside.column, inside.row, inside.width)
                painter.put(words, .faint, column: column, row: top, width: width, on: &grid)
            }
        case .messages: drawMessages(inside, painter, on: &grid)
        }
    }

    /// Whose details or messages they are; of a cell of the mosaic the name is known alone.
    private func subject(of pane: Pane, _ painter: Painter) -> String? {
        let row = store.row(selected)
        if row == nil, pane == .details { return selectedCell.map { PlainText.clean($0.title) } }
        return (row ?? store.row(jobOfMessages)).map { TaskSentence($0, at: painter.now).title }
    }

    private func drawDetails(
        of row: TaskSnapshot,
        _ area: ScreenLayout.Area,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        guard area.height > 0 else { return }
        var facts = DetailFacts(row, at: painter.now, secondsFromUTC: options.secondsFromUTC)
        facts.sentence.askedSecondsAgo = askedSecondsAgo(row.id, at: painter.now)
        facts.hosts = store.hosts[row.id]
        let messages = (store.messages[row.job] ?? []).filter { $0.task == row.id }
        // The plot gets room only where the facts leave some.
        let lines = facts.lines(width: area.width)
        let room = area.height - lines.count
        let hasPlot = plot != nil && plotTask == row.id && room >= Self.plotHeight
        for (index, line) in lines.prefix(area.height).enumerated() {
            painter.put(
                line.text,
                line.isTrouble ? .attention : .text,
                column: area.column,
                row: area.row + index,
                width: area.width,
                on: &grid
            )
        }
        var next = area.row + min(lines.count, area.height)
        if hasPlot {
            drawPlot(area, row: next, painter, on: &grid)
            next += Self.plotHeight
        }
        let left = max(area.row + area.height - next, 0)
        for (index, message) in messages.suffix(left).enumerated() {
            painter.put(
                said(message),
                .message,
                column: area.column,
                row: next + index,
                width: area.width,
                on: &grid
            )
        }
    }

    private func drawPlot(
        _ area: ScreenLayout.Area,
        row: Int,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        guard let plot else { return }
        painter.indicators.putPlot(
            plot,
            column: area.column,
            row: row,
            width: min(area.width, plot.capacity),
            height: Self.plotHeight,
            on: &grid
        )
    }

    private func drawMessages(
        _ area: ScreenLayout.Area,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        let messages = messagesInPane
        guard !messages.isEmpty else {
            let job = jobOfMessages
            let isHeld = frozen == nil || job.map { followed.contains(.messages(of: $0)) } ?? true
            painter.put(
                isHeld ? "nothing has been said yet" : "not in the frozen picture; f goes on",
                .faint,
                column: area.column,
                row: area.row,
                width: area.width,
                on: &grid
            )
            return
        }
        for (index, message) in messages.suffix(area.height).enumerated() {
            painter.put(
                said(message),
                .message,
                column: area.column,
                row: area.row + index,
                width: area.width,
                on: &grid
            )
        }
    }

    /// "03:14:07 Scan: 12 files cannot be read".
    private func said(_ message: TaskMessage) -> String {
        let time = TimeOfDay.text(
            unixTime: message.time.unixTime,
            secondsFromUTC: options.secondsFromUTC
        )
        let name = store.rows[message.task]?.title ?? names[message.task] ?? ""
        let title = name.isEmpty ? "" : PlainText.clean(name) + ": "
        return time + " " + title + PlainText.clean(message.text)
    }
}
