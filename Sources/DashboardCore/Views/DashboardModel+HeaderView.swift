import CellScreen
import ProgressBus
import TaskTree

/// The first line: which bus, the job in hand, what there is, what is wrong with the connection.
extension DashboardModel {
    /// Seconds after which something that is not as it should be is said.
    private static let patience = 2.0

    func drawHeader(
        _ area: ScreenLayout.Area,
        at now: Moment,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        guard area.height > 0 else { return }
        grid.fill(
            column: area.column,
            row: area.row,
            width: area.width,
            height: 1,
            style: painter.theme.style(.header)
        )
        let columns = HeaderColumns(width: area.width)
        drawPath(columns, painter, row: area.row, on: &grid)
        drawJobInHand(columns, painter, row: area.row, on: &grid)
        drawCounts(columns.counts, painter, row: area.row, on: &grid)
        drawActivity(columns, painter, row: area.row, on: &grid)
        drawFreshness(columns, at: now, painter, row: area.row, on: &grid)
        let background = painter.theme.style(.header).background
        guard background != .standard else { return }
        // What was drawn on the header with colours of its own is still on the header.
        grid.restyle(column: area.column, row: area.row, width: area.width) { style in
            if style.background == .standard { style.background = background }
        }
    }

    /// Where on the bus one is: the view, the job, and what is above the cursor in it.
    private var path: [String] {
        guard let id = job?.job ?? mosaic?.job else { return ["Board"] }
        let title = PlainText.clean((store.rows[id] ?? job?.last)?.title ?? id.description)
        if mosaic != nil { return ["Board", title, "Mosaic"] }
        var path = ["Board", title]
        guard let job, let line = job.line, line.content != .job else { return path }
        for depth in 1..<line.path.count + 1 {
            guard let block = job.block(at: Array(line.path.prefix(depth))) else { break }
            path.append(PlainText.clean(store.rows[block.task]?.title ?? ""))
        }
        return path
    }

    /// The end of the path, as much of it as there is room for; on the board, of which bus it is.
    private func drawPath(
        _ columns: HeaderColumns,
        _ painter: Painter,
        row: Int,
        on grid: inout CellGrid
    ) {
        let field = view == .board ? columns.place.upTo(columns.bar) : columns.place
        let separator = " \(painter.step) "
        var steps = path
        while steps.count > 1,
            DisplayText.width(of: steps.joined(separator: separator)) > field.width
        {
            steps.removeFirst()
        }
        func put(_ text: String, _ role: Theme.Role, from start: Int) -> Int {
            let width = min(DisplayText.width(of: text), field.end - start)
            return start
                + painter.put(text, role, column: start, row: row, width: width, on: &grid)
        }
        var column = field.start
        for step in steps.dropLast() {
            column = put(step + separator, .faint, from: column)
        }
        column = put(steps.last ?? "", .header, from: column)
        guard view == .board, field.end - column >= 8 else { return }
        _ = put("  " + options.endpoint, .faint, from: column)
    }

    /// The bar of the job in whose view one is; the board has none, as it would read as the bus's.
    private func drawJobInHand(
        _ columns: HeaderColumns,
        _ painter: Painter,
        row: Int,
        on grid: inout CellGrid
    ) {
        guard columns.bar.width > 0, let id = job?.job ?? mosaic?.job,
            let job = store.row(id) ?? job?.last
        else { return }
        painter.indicators.putIndicator(
            of: job,
            phase: painter.phase,
            hasTrack: false,
            column: columns.bar.start,
            row: row,
            width: columns.bar.width - 5,
            on: &grid
        )
        painter.put(
            TaskSentence(job, at: painter.now).percent ?? "",
            .header,
            column: columns.bar.end - 4,
            row: row,
            width: 4,
            alignment: .trailing,
            on: &grid
        )
    }

    /// How many tasks of the bus are in which state; trouble alone has a colour.
    private func drawCounts(
        _ field: RowColumns.Field,
        _ painter: Painter,
        row: Int,
        on grid: inout CellGrid
    ) {
        var column = field.start
        for (index, part) in countsTexts(width: field.width).enumerated() {
            for (text, role) in [
                (index > 0 ? ", " : "", Theme.Role.text),
                (part.text, part.isTrouble ? .attention : .text),
            ] {
                column += painter.put(
                    text,
                    role,
                    column: column,
                    row: row,
                    width: DisplayText.width(of: text),
                    on: &grid
                )
            }
        }
    }

    private func countsTexts(width: Int) -> [(text: String, isTrouble: Bool)] {
        guard let broker = store.broker else { return [] }
        let counts = broker.taskCounts
        let needing = broker.needingAttention
        let verb = needing == 1 ? "needs" : "need"
        let forms = [
            [
                ("running", counts.running), ("waiting", counts.waiting),
                (verb + " attention", needing),
            ],
            [("running", counts.running), (verb + " you", needing)],
            [("run", counts.running), (verb + " you", needing)],
        ]
        for form in forms {
            let texts = form.filter { $0.1 > 0 }
                .map { "\(HumanNumbers.grouped(Int64($0.1))) \($0.0)" }
            guard DisplayText.width(of: texts.joined(separator: ", ")) <= width else { continue }
            return texts.enumerated().map { ($1, needing > 0 && $0 == texts.count - 1) }
        }
        return needing > 0 ? [("\(needing)!", true)] : []
    }

    private func drawActivity(
        _ columns: HeaderColumns,
        _ painter: Painter,
        row: Int,
        on grid: inout CellGrid
    ) {
        for (index, id) in activity.cells.prefix(columns.activity.width).enumerated() {
            guard let task = store.row(id) else { continue }
            painter.indicators.putActivityCell(
                of: task,
                phase: painter.phase,
                column: columns.activity.start + index,
                row: row,
                on: &grid
            )
        }
    }

    /// The activity cell under a column of the header.
    func activityCell(atColumn column: Int) -> Int? {
        let field = HeaderColumns(width: layout.header.width).activity
        let index = column - field.start
        return activity.cells.indices.contains(index) && index < field.width
            && activity.cells[index] != nil ? index : nil
    }

    /// The one network cell, and in words how old the picture is once it is older than it should be.
    ///
    /// It is of the connection, so it does not stand still with a frozen picture.
    private func drawFreshness(
        _ columns: HeaderColumns,
        at now: Moment,
        _ painter: Painter,
        row: Int,
        on grid: inout CellGrid
    ) {
        let since = [present.notLiveSince, present.loadingSince].compactMap { $0 }.min()
        let waited = since.map { now.seconds(since: $0) } ?? 0
        if waited >= Self.patience {
            // A frozen screen does not move.
            let glyph = painter.glyphs.circle(phase: frozen == nil ? Int(waited) : 0)
            grid.put(
                glyph,
                column: columns.network,
                row: row,
                style: painter.theme.style(.attention)
            )
        }
        painter.put(
            freshness(waited: waited, at: now),
            .attention,
            column: columns.freshness.start,
            row: row,
            width: columns.freshness.width,
            alignment: .trailing,
            on: &grid
        )
    }

    private func freshness(waited: Double, at now: Moment) -> String {
        if let frozen { return "frozen \(HumanTime.duration(now.seconds(since: frozen.at)))" }
        guard waited >= Self.patience else { return "" }
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
    var place = RowColumns.Field()
    var bar = RowColumns.Field()
    var counts = RowColumns.Field()
    var activity = RowColumns.Field()
    var network = 0
    var freshness = RowColumns.Field()

    init(width: Int) {
        let widths: (bar: Int, counts: Int, activity: Int, freshness: Int) =
            switch width {
            case 150...: (22, 44, 16, 18)
            case 110...: (16, 40, 8, 16)
            case 76...: (14, 21, 4, 17)
            case 50...: (0, 16, 2, 12)
            case 24...: (0, 8, 0, 0)
            default: (0, 0, 0, 0)
            }
        var end = width
        func takeFromEnd(_ width: Int) -> RowColumns.Field {
            guard width > 0 else { return RowColumns.Field(start: end, width: 0) }
            end -= width
            defer { end -= 1 }
            return RowColumns.Field(start: end, width: width)
        }
        freshness = takeFromEnd(widths.freshness)
        network = max(end - 1, 0)
        end -= 2
        activity = takeFromEnd(widths.activity)
        counts = takeFromEnd(widths.counts)
        bar = takeFromEnd(widths.bar)
        place = RowColumns.Field(start: 0, width: max(end, 0))
    }
}
