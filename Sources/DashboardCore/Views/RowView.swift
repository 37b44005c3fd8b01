import CellScreen
import ProgressBus
import TaskTree

/// Draws one task in one row.
struct RowView {
    /// Columns from which on a part of what is wrong says more than the state in one word.
    private static let leastForProblem = 20

    let painter: Painter
    let columns: RowColumns
    /// Whether each row says its host.
    let saysHost: Bool

    /// How a row differs from others besides what its task says.
    struct Look {
        var number: Int?
        /// Whether somebody is to come into the row, if nobody is in it.
        var isReserved = false
        /// Levels below the first; moves the beginning of the title.
        var depth = 0
        var isSelected = false
        var isDimmed = false
        /// Whether tasks below are shown, hidden, or not there.
        var folding = Folding.none
        /// Whether its end is to be told.
        var isAlerted = false
        /// Whether what it is part of has ended.
        var hasParentEnded = false
        /// How long ago it was asked to stop without having stopped.
        var askedSecondsAgo: Double?
        /// How the rate was.
        var trend: RateTrend?
        /// When it ran, if that is to be said in the place of its bar.
        var span: RunSpan?
        /// Whether it says after the title how many tasks below it have ended, and of how many.
        var saysCounts = false
    }

    enum Folding {
        case none, folded, unfolded
    }

    /// Where a row begins.
    struct Place {
        var column: Int
        var row: Int
    }

    func draw(_ task: TaskSnapshot, _ look: Look, at place: Place, on grid: inout CellGrid) {
        drawNumber(look, at: place, on: &grid)
        painter.indicators.putMark(
            of: task,
            phase: painter.phase,
            column: place.column + columns.mark.start,
            row: place.row,
            on: &grid
        )
        var sentence = TaskSentence(task, at: painter.now)
        sentence.askedSecondsAgo = look.askedSecondsAgo
        sentence.hasParentEnded = look.hasParentEnded
        // Where hosts have a column of their own, it says them, but what is wrong takes its place.
        sentence.saysHost = saysHost && (columns.host.width == 0 || sentence.problem != nil)
        drawTitle(sentence, look, at: place, on: &grid)
        drawBar(of: task, look, at: place, on: &grid)
        let role: Theme.Role = task.state.isEnded ? .faint : .text
        put(sentence.percent ?? "", role, columns.percent, .trailing, place, &grid)
        if let problem = sentence.problem {
            drawProblem(problem, sentence, at: place, on: &grid)
        } else {
            drawNumbers(sentence, look, at: place, on: &grid)
        }
        finish(look, at: place, on: &grid)
    }

    private func drawBar(
        of task: TaskSnapshot,
        _ look: Look,
        at place: Place,
        on grid: inout CellGrid
    ) {
        let (column, width) = (place.column + columns.bar.start, columns.bar.width)
        guard let span = look.span, task.options.style == .bar else {
            painter.indicators.putIndicator(
                of: task,
                phase: painter.phase,
                column: column,
                row: place.row,
                width: width,
                on: &grid
            )
            return
        }
        painter.indicators.putSpan(
            span,
            of: task,
            column: column,
            row: place.row,
            width: width,
            on: &grid
        )
    }

    /// A row nobody has: a sign of its place, if it has a number or somebody is to come.
    func drawBlank(_ look: Look, at place: Place, on grid: inout CellGrid) {
        if look.number != nil || look.isReserved {
            drawNumber(look, at: place, on: &grid)
            let column = place.column + columns.mark.start
            let style = painter.theme.style(.track)
            grid.put(painter.glyphs.empty, column: column, row: place.row, style: style)
        }
        finish(look, at: place, on: &grid)
    }

    private func drawNumber(_ look: Look, at place: Place, on grid: inout CellGrid) {
        guard let number = look.number else { return }
        let style = style(.faint, look)
        put(String(number), style, columns.number, .trailing, place, &grid)
    }

    /// The style of what is always in a row: there the cursor shows, and costs nothing while it rests.
    private func style(_ role: Theme.Role, _ look: Look) -> CellStyle {
        var style = painter.theme.style(role)
        guard look.isSelected else { return style }
        let cursor = painter.theme.style(.cursor)
        style.attributes.formUnion(cursor.attributes)
        if cursor.foreground != .standard { style.foreground = cursor.foreground }
        return style
    }

    private func drawTitle(
        _ sentence: TaskSentence,
        _ look: Look,
        at place: Place,
        on grid: inout CellGrid
    ) {
        let fold =
            switch look.folding {
            case .none: ""
            case .folded: String(painter.folded) + " "
            case .unfolded: String(painter.glyphs.unfolded) + " "
            }
        let indent = min(look.depth * 2, max(columns.title.width - 8, 0))
        var field = columns.title.dropping(indent)
        let attempt = sentence.row.attempt > 1 ? " (attempt \(sentence.row.attempt))" : ""
        let title = fold + (look.isAlerted ? "* " : "") + sentence.title + attempt
        var taken = put(title, style(.title, look), field, .leading, place, &grid)
        if look.saysCounts, sentence.row.isParent, !sentence.isCountedByChildren {
            let counts = " " + sentence.endedBelow
            taken += put(counts, .faint, field.dropping(taken), .leading, place, &grid)
        }
        // Where there is no column for it, what is being done follows the title.
        field = field.dropping(taken + 2)
        guard columns.detail.width == 0, field.width >= 8, sentence.problem == nil else { return }
        put(sentence.remark, .faint, field, .leading, place, &grid)
    }

    private func drawNumbers(
        _ sentence: TaskSentence,
        _ look: Look,
        at place: Place,
        on grid: inout CellGrid
    ) {
        let hasEnded = sentence.row.state.isEnded
        let role: Theme.Role = hasEnded ? .faint : .text
        if columns.counts.number.width > 0 {
            if let amount = sentence.amount(width: columns.counts.number.width) {
                put(amount, role, columns.counts, place, &grid)
            } else {
                let field = columns.counts.whole
                let below = sentence.descendants(width: field.width)
                put(below, role, field, .leading, place, &grid)
            }
        }
        put(sentence.pace(width: columns.rate.number.width), role, columns.rate, place, &grid)
        if let trend = look.trend, sentence.row.condition == .running, columns.trend.width > 0 {
            painter.indicators.putTrend(
                trend,
                column: place.column + columns.trend.start,
                row: place.row,
                on: &grid
            )
        }
        // Without a column of its own, how long it took is said where it was said how long it takes.
        let isShort = columns.taken.number.width == 0
        let left =
            hasEnded && isShort
            ? sentence.duration
            : hasEnded ? nil : sentence.remaining(unitWidth: columns.left.unit.width)
        put(left, role, columns.left, place, &grid)
        if columns.ends.width > 0, let end = sentence.end {
            let time = TimeOfDay.minute(unixTime: end, secondsFromUTC: painter.secondsFromUTC)
            put(time, .faint, columns.ends, .trailing, place, &grid)
        }
        put(sentence.duration, role, columns.taken, place, &grid)
        if let host = sentence.row.process?.host {
            put(PlainText.clean(host), .faint, columns.host, .leading, place, &grid)
        }
        put(sentence.remark, .faint, columns.detail, .leading, place, &grid)
    }

    private func drawProblem(
        _ problem: String,
        _ sentence: TaskSentence,
        at place: Place,
        on grid: inout CellGrid
    ) {
        let words = columns.words
        guard words.width > 0 else { return }
        // The words as long as they fit; where it is, and what can be done, only where there is room
        // for all of it.
        var text = problem
        if words.width < Self.leastForProblem, DisplayText.width(of: problem) > words.width {
            text = sentence.word
        }
        for more in [sentence.place.map { " (\($0))" }, sentence.suggestedAction.map { ": " + $0 }]
        {
            guard let more, text.hasPrefix(problem) else { continue }
            if DisplayText.width(of: text + more) <= words.width { text += more }
        }
        put(text, painter.theme.words(of: sentence.row), words, .leading, place, &grid)
    }

    private func finish(_ look: Look, at place: Place, on grid: inout CellGrid) {
        let theme = painter.theme
        if look.isDimmed {
            grid.restyle(column: place.column, row: place.row, width: columns.width) { style in
                style = theme.style(.filtered)
            }
        }
        guard look.isSelected else { return }
        let glyphs = painter.glyphs
        grid.put(
            grid.isMirrored ? glyphs.cursorMirrored : glyphs.cursor,
            column: place.column + columns.cursor.start,
            row: place.row,
            style: theme.style(.fill)
        )
        let background = theme.style(.cursor).background
        guard background != .standard else { return }
        grid.restyle(column: place.column, row: place.row, width: columns.width) { style in
            style.background = background
        }
    }
}
