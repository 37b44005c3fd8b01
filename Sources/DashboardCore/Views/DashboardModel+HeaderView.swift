import CellScreen
import ProgressBus
import TaskTree

/// The first line: which bus, the job in hand, what there is, what is wrong with the connection.
extension DashboardModel {
    /// Seconds after which something that is not as it should be is said.
    private static let patience = 2.0
    private static let barWidth = 12

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
        painter.put(
            place,
            .header,
            column: columns.place.start,
            row: area.row,
            width: columns.place.width,
            on: &grid
        )
        drawJobInHand(columns, painter, row: area.row, on: &grid)
        painter.put(
            countsText(width: columns.counts.width),
            .header,
            column: columns.counts.start,
            row: area.row,
            width: columns.counts.width,
            on: &grid
        )
        drawActivity(columns, painter, row: area.row, on: &grid)
        drawFreshness(columns, at: now, painter, row: area.row, on: &grid)
        let background = painter.theme.style(.header).background
        guard background != .standard else { return }
        // What was drawn on the header with colours of its own is still on the header.
        grid.restyle(column: area.column, row: area.row, width: area.width) { style in
            if style.background == .standard { style.background = background }
        }
    }

    /// Where on the bus one is.
    private var place: String {
        guard let id = job?.job ?? mosaic?.job else { return options.endpoint }
        let title = (store.rows[id] ?? job?.last)?.title ?? ""
        return title.isEmpty ? options.endpoint : title
    }

    /// The job in whose view one is; on the board the selected one.
    private var jobInHand: TaskSnapshot? {
        if let id = job?.job ?? mosaic?.job { return store.row(id) ?? job?.last }
        return store.job(inSlot: board.slot)
    }

    private func drawJobInHand(
        _ columns: HeaderColumns,
        _ painter: Painter,
        row: Int,
        on grid: inout CellGrid
    ) {
        guard let job = jobInHand, columns.bar.width > 0 else { return }
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

    private func countsText(width: Int) -> String {
        guard let broker = store.broker else { return "" }
        let counts = broker.taskCounts
        let needing = broker.needingAttention
        let forms = [
            [
                ("running", counts.running), ("waiting", counts.waiting),
                (needing == 1 ? "needs attention" : "need attention", needing),
            ],
            [("running", counts.running), (needing == 1 ? "needs you" : "need you", needing)],
            [("run", counts.running), (needing == 1 ? "needs you" : "need you", needing)],
        ]
        for form in forms {
            let text = form.filter { $0.1 > 0 }
                .map { "\(HumanNumbers.grouped(Int64($0.1))) \($0.0)" }
                .joined(separator: ", ")
            if DisplayText.width(of: text) <= width { return text }
        }
        return needing > 0 ? "\(needing)!" : ""
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
            let glyph = painter.glyphs.circle(phase: Int(waited))
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
            case 120...: (22, 44, 16, 18)
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
