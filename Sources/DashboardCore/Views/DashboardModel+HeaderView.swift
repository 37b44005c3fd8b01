import CellScreen
import ProgressBus
import TaskTree

/// The first line: the bus, the open job, the counts of tasks and the state of the connection.
extension DashboardModel {
    func drawHeader(_ area: Area, _ painter: inout Painter) {
        guard area.height > 0 else { return }
        painter.fill(area, .header)
        let columns = HeaderColumns(width: area.width)
        drawPath(columns, &painter)
        drawJobInHand(columns, &painter)
        drawCounts(columns.counts, &painter)
        for (index, id) in activity.cells.prefix(columns.activity.width).enumerated() {
            guard let task = store.row(id) else { continue }
            painter.putActivityCell(of: task, column: columns.activity.start + index, row: 0)
        }
        drawFreshness(columns, &painter)
        let background = painter.theme.style(.header).background
        guard background != .standard else { return }
        // Words and cells with colours of their own keep the background of the header.
        painter.grid.restyle(column: area.column, row: area.row, width: area.width) { style in
            if style.background == .standard { style.background = background }
        }
    }

    /// The path to the cursor: the open job, and the parents above the row of the cursor in it.
    private var above: [TaskID] {
        guard let id = job?.job ?? mosaic?.job else { return [] }
        guard mosaic == nil, let job, let line = job.line, line.content != .job else { return [id] }
        return [id]
            + (0..<line.path.count).compactMap { depth in
                job.block(at: Array(line.path.prefix(depth + 1)))?.task
            }
    }

    private var path: [String] {
        let titles = above.map { id in
            let row = store.rows[id] ?? (id == job?.job ? job?.last : nil)
            return PlainText.clean(row?.title ?? id.description)
        }
        return ["Board"] + titles + (mosaic == nil ? [] : ["Mosaic"])
    }

    /// Draws as much of the end of the path as fits; on the board also the endpoint of the bus.
    private func drawPath(_ columns: HeaderColumns, _ painter: inout Painter) {
        let field = view == .board ? columns.place.upTo(columns.bar) : columns.place
        let separator = " \(painter.glyphs.step) "
        var steps = path
        while steps.count > 1,
            DisplayText.width(of: steps.joined(separator: separator)) > field.width
        {
            steps.removeFirst()
        }
        var column = field.start
        for step in steps.dropLast() {
            let text = step + separator
            column = painter.putWord(text, .faint, from: column, to: field.end, row: 0)
        }
        column = painter.putWord(steps.last ?? "", .header, from: column, to: field.end, row: 0)
        guard view == .board, field.end - column >= 8 else { return }
        painter.putWord("  " + options.endpoint, .faint, from: column, to: field.end, row: 0)
    }

    /// Draws the bar of the last task of the path; the board has none, as it would look like a bar
    /// of the bus.
    private func drawJobInHand(_ columns: HeaderColumns, _ painter: inout Painter) {
        guard columns.bar.width > 0, let id = above.last,
            let job = store.row(id) ?? (id == job?.job ? job?.last : nil)
        else { return }
        let bar = Field(start: columns.bar.start, width: columns.bar.width - 5)
        painter.putIndicator(of: job, hasTrack: false, bar, row: 0)
        let percent = TaskSentence(job, at: painter.now).percent ?? ""
        painter.put(percent, .header, columns.bar.dropping(bar.width + 1), row: 0, .trailing)
    }

    /// Draws how many tasks of the bus or of the open job are in which state; only trouble has a
    /// colour.
    private func drawCounts(_ field: Field, _ painter: inout Painter) {
        var column = field.start
        for (index, part) in countsTexts(width: field.width).enumerated() {
            if index > 0 { column = painter.putWord(", ", .text, from: column, row: 0) }
            let role: Theme.Role = part.isTrouble ? .attention : .text
            column = painter.putWord(part.text, role, from: column, row: 0)
        }
    }

    /// The counts of tasks of the bus, or of the open job.
    var counts: (states: StateCounts, needing: Int)? {
        guard let id = job?.job ?? mosaic?.job else {
            return store.broker.map { ($0.taskCounts, $0.needingAttention) }
        }
        guard let row = store.rows[id] ?? job?.last else { return nil }
        var counts = row.counts
        if !row.isParent { counts.add(row.state, times: 1) }
        return (counts, row.troubled)
    }

    /// Whether the open job is no longer on the bus, so that the view shows how it was.
    private var isJobGone: Bool {
        guard let id = job?.job ?? mosaic?.job else { return false }
        return store.rows[id] == nil && store.isComplete
    }

    private func countsTexts(width: Int) -> [(text: String, isTrouble: Bool)] {
        if isJobGone { return [(width < 18 ? "left" : "has left the board", false)] }
        guard let (counts, needing) = counts else { return [] }
        let verb = needing == 1 ? "needs" : "need"
        let forms = [
            [
                ("running", counts.running), ("waiting", counts.waiting),
                (verb + " attention", needing),
            ],
            [("running", counts.running), (verb + " attention", needing)],
            [("run", counts.running), (verb + " attention", needing)],
            [("run", counts.running), ("!", needing)],
        ]
        for form in forms {
            let texts = form.filter { $0.1 > 0 }
                .map { HumanNumbers.grouped($0.1) + ($0.0 == "!" ? "!" : " " + $0.0) }
            guard DisplayText.width(of: texts.joined(separator: ", ")) <= width else { continue }
            return texts.enumerated().map { ($1, needing > 0 && $0 == texts.count - 1) }
        }
        return needing > 0 ? [("\(needing)!", true)] : []
    }

    /// The activity cell under a column of the header.
    func activityCell(atColumn column: Int) -> Int? {
        let field = HeaderColumns(width: layout.header.width).activity
        let index = column - field.start
        return activity.cells.indices.contains(index) && index < field.width
            && activity.cells[index] != nil ? index : nil
    }

    /// Draws the network cell, and in words the age of a picture that is older than it should be.
    ///
    /// It tells of the present connection, even while the picture is frozen.
    private func drawFreshness(_ columns: HeaderColumns, _ painter: inout Painter) {
        let since = [present.notLiveSince, present.loadingSince].compactMap { $0 }.min()
        let waited = since.map { painter.clock.seconds(since: $0) } ?? 0
        if waited >= TaskStore.patience {
            // A frozen screen does not move.
            let glyph = painter.glyphs.circle.at(phase: frozen == nil ? Int(waited) : 0)
            painter.put(glyph, painter.theme.style(.attention), column: columns.network, row: 0)
        }
        let text = freshness(waited: waited, at: painter.clock)
        painter.put(text, .attention, columns.freshness, row: 0, .trailing)
    }

    private func freshness(waited: Double, at now: Moment) -> String {
        if let frozen { return "frozen \(HumanTime.duration(now.seconds(since: frozen.at)))" }
        guard waited >= TaskStore.patience else { return "" }
        let age = HumanTime.duration(waited)
        switch present.connection {
        case .connecting: return "no broker for \(age)"
        case .reconnecting: return "updated \(age) ago"
        case .live: return "loading"
        }
    }
}

/// Where the parts of the header are; depends on the width alone.
struct HeaderColumns: Equatable, Sendable {
    var place = Field()
    var bar = Field()
    var counts = Field()
    var activity = Field()
    var network = 0
    var freshness = Field()

    init(width: Int) {
        let widths: (bar: Int, counts: Int, activity: Int, freshness: Int) =
            switch width {
            case 150...: (22, 44, 16, 18)
            case 110...: (16, 40, 8, 16)
            case 76...: (14, 24, 4, 17)
            case 50...: (0, 16, 2, 12)
            case 24...: (0, 8, 0, 0)
            default: (0, 0, 0, 0)
            }
        var end = width
        func takeFromEnd(_ width: Int) -> Field {
            guard width > 0 else { return Field(start: end, width: 0) }
            end -= width
            defer { end -= 1 }
            return Field(start: end, width: width)
        }
        freshness = takeFromEnd(widths.freshness)
        network = max(end - 1, 0)
        end -= 2
        activity = takeFromEnd(widths.activity)
        counts = takeFromEnd(widths.counts)
        bar = takeFromEnd(widths.bar)
        place = Field(start: 0, width: max(end, 0))
    }
}
