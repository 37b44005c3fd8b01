import ProgressBus
import TaskTree

/// The pane beside or below the view: all about the selected task, or the messages of its job.
extension DashboardModel {
    /// Columns of the label of a line of the details, and of the blank after it.
    private static let labelWidth = 9

    func drawPane(_ area: Area, _ painter: inout Painter) {
        guard let content = pane.content, area.height > 0, area.width > 0 else { return }
        let name = content == .details ? "Details" : "Messages"
        let title = subject(of: content, at: painter.now).map { name + ": " + $0 } ?? name
        let inside = drawFrame(of: area, title, &painter)
        if content == .messages {
            drawMessages(inside, &painter)
        } else if let row = store.row(selected) {
            drawDetails(of: row, inside, &painter)
        } else if selectedCell != nil {
            let words = "Enter shows it in its tree, with all that is known of it"
            painter.put(words, .faint, inside.field, row: inside.row)
        }
    }

    /// The last messages of a job, below its tree.
    func drawLog(_ area: Area, _ painter: inout Painter) {
        guard area.height > 1 else { return }
        drawMessages(drawFrame(of: area, "Messages", &painter), &painter)
    }

    /// Draws the rule between a pane and the view: above a pane below the view, before one beside
    /// it.
    ///
    /// - Returns: The area of the pane without the rule.
    private func drawFrame(of area: Area, _ title: String, _ painter: inout Painter) -> Area {
        let (box, style) = (painter.glyphs.box, painter.theme.style(.track))
        let (column, end) = (area.column, area.field.end)
        painter.put(box.horizontal, style, column..<end, row: area.row)
        if column > 0 {
            for row in area.row..<area.row + area.height {
                painter.put(box.vertical, style, column: column - 1, row: row)
            }
            painter.put(box.topLeading, style, column: column - 1, row: area.row)
        }
        painter.putWord(" \(title) ", .header, from: column + 1, to: end - 1, row: area.row)
        return inside(of: area)
    }

    private func inside(of area: Area) -> Area {
        Area(
            column: area.column + 1,
            row: area.row + 1,
            width: max(area.width - 1, 0),
            height: max(area.height - 1, 0)
        )
    }

    /// The task whose details or messages the pane shows; of a cell of the mosaic only the title is
    /// known.
    private func subject(of content: Pane.Content, at now: Moment) -> String? {
        let row = store.row(selected)
        if row == nil, content == .details { return selectedCell.map { PlainText.clean($0.title) } }
        return (row ?? store.row(jobOfMessages)).map { TaskSentence($0, at: now).title }
    }

    /// The facts about a task for the details.
    private func facts(of row: TaskSnapshot, at now: Moment) -> DetailFacts {
        var facts = DetailFacts(row, at: now, secondsFromUTC: options.secondsFromUTC)
        facts.sentence.askedSecondsAgo = askedSecondsAgo(row.id, at: now)
        facts.hosts = store.hosts[row.id]
        facts.open = (store.atPlace[row.id] ?? [:]).sorted { $0.key < $1.key }
            .compactMap { store.rows[$0.value] }
            .filter { $0.state == .waiting && $0.process == nil }
            .map { PlainText.clean($0.title) }
        return facts
    }

    /// Scrolls details that are longer than their pane.
    mutating func scrollDetails(by step: Int) {
        guard pane.content == .details, let row = store.row(selected) else {
            return say("J and K scroll details; Tab shows them")
        }
        let area = inside(of: layout.pane)
        let width = area.field.dropping(labelWidth(in: area)).width
        let count = facts(of: row, at: now).lines(width: width, height: area.height).count
        let last = max(count - area.height, 0)
        let first = min(max(pane.firstLine(of: row.id) + step, 0), last)
        pane.scroll(row.id, to: first)
    }

    private func labelWidth(in area: Area) -> Int { min(Self.labelWidth, area.width / 4) }

    private func drawDetails(of row: TaskSnapshot, _ area: Area, _ painter: inout Painter) {
        guard area.height > 0 else { return }
        let facts = facts(of: row, at: painter.now)
        let labels = Field(start: area.column, width: labelWidth(in: area) - 1)
        let texts = area.field.dropping(labelWidth(in: area))
        var lines = facts.lines(width: texts.width, height: area.height)
        let first = pane.firstLine(of: row.id)
        lines.removeFirst(min(first, max(lines.count - area.height, 0)))
        if lines.count > area.height, area.height > 1 {
            let left = lines.count - area.height + 1
            lines = lines.prefix(area.height - 1) + [.init(text: "+ \(left) more: J")]
        }
        for (index, line) in lines.prefix(area.height).enumerated() {
            painter.put(line.label, .faint, labels, row: area.row + index)
            let role: Theme.Role = line.isTrouble ? .attention : .text
            painter.put(line.text, role, texts, row: area.row + index)
        }
        // Plot and messages get room only where the facts leave some.
        var rest = area
        rest.row += lines.count + 1
        rest.height -= lines.count + 1
        if let plot = pane.plot, plot.task == row.id, rest.height >= PlotView.leastHeight {
            let unit = plot.countsTasks ? "tasks" : facts.sentence.unit
            let view = PlotView(plot: plot.rates, unit: unit)
            let height = view.draw(in: rest, &painter)
            rest.row += height + 1
            rest.height -= height + 1
        }
        put((store.messages[row.job] ?? []).filter { $0.task == row.id }, rest, &painter)
        painter.link(row.links, in: area)
    }

    private func drawMessages(_ area: Area, _ painter: inout Painter) {
        let messages = messagesInPane
        guard messages.isEmpty else { return put(messages, area, &painter) }
        let job = jobOfMessages
        let isHeld = frozen == nil || job.map { followed.contains(.messages(of: $0)) } ?? true
        let words = isHeld ? wordsForSilence : "not in the frozen picture; f goes on"
        painter.put(words, .faint, area.field, row: area.row)
    }

    /// The words for a pane without messages; messages are lost with the broker that kept them.
    private var wordsForSilence: String {
        guard let row = store.row(jobOfMessages) ?? job?.last, !row.state.isEnded else {
            return "no messages are kept"
        }
        guard let elapsed = row.elapsed, let startedAt = row.startedAt,
            let began = store.brokerBegan
        else { return "nothing has been said yet" }
        let late = began.seconds(since: row.madeAt.advanced(bySeconds: -elapsed))
        guard late >= 1 else { return "nothing has been said yet" }
        let time = TimeOfDay.text(
            unixTime: startedAt.unixTime + late,
            secondsFromUTC: options.secondsFromUTC
        )
        return "messages from before \(time) were not kept"
    }

    /// The last messages, as many as there is room for.
    private func put(_ messages: [TaskMessage], _ area: Area, _ painter: inout Painter) {
        let last = messages.suffix(max(area.height, 0))
        painter.putLines(last.map(said), .message, in: area)
        painter.link(last.flatMap { WebLink.all(in: $0.text) }, in: area)
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
