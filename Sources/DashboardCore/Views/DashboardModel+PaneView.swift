import CellScreen
import ProgressBus
import TaskTree

/// Beside or below the view: everything about the selected task, or what its job has said.
extension DashboardModel {
    /// Columns of what a line of the details is about, and the blank after it.
    private static let labelWidth = 9

    func drawPane(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard let pane, area.height > 0, area.width > 0 else { return }
        let row = store.row(selected)
        let name = pane == .details ? "Details" : "Messages"
        let title = subject(of: pane, painter).map { name + ": " + $0 } ?? name
        let inside = drawFrame(of: area, title, painter, on: &grid)
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

    /// The last messages of a job, below its tree.
    func drawLog(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard area.height > 1 else { return }
        let inside = drawFrame(of: area, "Messages", painter, on: &grid)
        drawMessages(inside, painter, on: &grid)
    }

    /// A rule between a pane and the view: above the one below it, before the one beside it.
    ///
    /// - Returns: What is inside.
    private func drawFrame(
        of area: ScreenLayout.Area,
        _ title: String,
        _ painter: Painter,
        on grid: inout CellGrid
    ) -> ScreenLayout.Area {
        defer {
            let title = " " + title + " "
            let width = min(DisplayText.width(of: title), max(area.width - 2, 0))
            let column = area.column + 1
            painter.put(title, .header, column: column, row: area.row, width: width, on: &grid)
        }
        let inside = ScreenLayout.Area(
            column: area.column + 1,
            row: area.row + 1,
            width: max(area.width - 1, 0),
            height: area.height - 1
        )
        let (box, style) = (painter.glyphs.box, painter.theme.style(.track))
        for column in area.column..<area.column + area.width {
            grid.put(box.horizontal, column: column, row: area.row, style: style)
        }
        guard area.column > 0 else { return inside }
        for row in area.row..<area.row + area.height {
            grid.put(box.vertical, column: area.column - 1, row: row, style: style)
        }
        let corner = grid.isMirrored ? box.topTrailing : box.topLeading
        grid.put(corner, column: area.column - 1, row: area.row, style: style)
        return inside
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
        facts.open = (store.atPlace[row.id] ?? [:]).sorted { $0.key < $1.key }
            .compactMap { store.rows[$0.value] }
            .filter { $0.state == .waiting && $0.process == nil }
            .map { PlainText.clean($0.title) }
        let labelWidth = min(Self.labelWidth, area.width / 4)
        let lines = facts.lines(width: area.width - labelWidth, height: area.height)
        for (index, line) in lines.prefix(area.height).enumerated() {
            let place = (column: area.column, row: area.row + index)
            painter.put(
                line.label,
                .faint,
                column: place.column,
                row: place.row,
                width: labelWidth - 1,
                on: &grid
            )
            painter.put(
                line.text,
                line.isTrouble ? .attention : .text,
                column: place.column + labelWidth,
                row: place.row,
                width: area.width - labelWidth,
                on: &grid
            )
        }
        // Plot and messages get room only where the facts leave some.
        var rest = area
        rest.row += lines.count + 1
        rest.height -= lines.count + 1
        if let plot, plotTask == row.id, rest.height >= PlotView.leastHeight {
            let view = PlotView(plot: plot, unit: plotCountsTasks ? "tasks" : facts.sentence.unit)
            let height = view.draw(in: rest, painter, on: &grid)
            rest.row += height + 1
            rest.height -= height + 1
        }
        let messages = (store.messages[row.job] ?? []).filter { $0.task == row.id }
        for (index, message) in messages.suffix(max(rest.height, 0)).enumerated() {
            painter.put(
                said(message),
                .message,
                column: rest.column,
                row: rest.row + index,
                width: rest.width,
                on: &grid
            )
        }
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
