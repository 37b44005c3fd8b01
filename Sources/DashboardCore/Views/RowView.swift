import CellScreen
import ProgressBus
import TaskTree

/// Draws one task in one row, which begins in the first column of the screen.
struct RowView {
    /// The least columns in which a problem that is cut tells more than the state in one word.
    private static let leastForProblem = 20
    /// Columns of a host before a title.
    private static let hostWidth = 12

    let columns: RowColumns
    /// Whether each row says its host.
    let saysHost: Bool

    /// What the look of a row depends on besides its task.
    struct Look {
        var number: Int?
        /// Whether an empty row is kept for a task that is expected.
        var isReserved = false
        /// Levels below the first; moves the beginning of the title.
        var depth = 0
        var isSelected = false
        var isDimmed = false
        /// Whether tasks below are shown, hidden, or not there.
        var folding = Folding.none
        /// Whether the end of the job is to be announced.
        var isAlerted = false
        /// Whether the parent of the task has ended.
        var hasParentEnded = false
        /// How long ago it was asked to stop without having stopped.
        var askedSecondsAgo: Double?
        /// The rates of the last two minutes.
        var trend: RateTrend?
        /// When the task ran, if the row shows that in place of the bar.
        var span: RunSpan?
        /// Whether the host stands before the title if hosts have no column.
        var isHeadedByHost = false
        /// Whether the row tells after the title how many of the tasks below it have ended.
        var saysCounts = false
    }

    enum Folding {
        case none, folded, unfolded
    }

    func draw(_ task: TaskSnapshot, _ look: Look, row: Int, _ painter: inout Painter) {
        drawNumber(look, row: row, &painter)
        painter.putMark(of: task, column: columns.mark.start, row: row)
        var sentence = TaskSentence(task, at: painter.now)
        sentence.askedSecondsAgo = look.askedSecondsAgo
        sentence.hasParentEnded = look.hasParentEnded
        // A column of hosts names the host, unless the words about a problem cover that column.
        sentence.saysHost =
            saysHost && !look.isHeadedByHost && (columns.host.width == 0 || sentence.problem != nil)
        drawTitle(sentence, look, row: row, &painter)
        if let span = look.span, task.options.style == .bar {
            painter.putSpan(span, of: task, columns.bar, row: row)
        } else {
            painter.putIndicator(of: task, columns.bar, row: row)
        }
        let role: Theme.Role = task.state.isEnded ? .faint : .text
        painter.put(sentence.percent ?? "", role, columns.percent, row: row, .trailing)
        if sentence.problem != nil {
            drawProblem(sentence, row: row, &painter)
        } else {
            drawNumbers(sentence, look, row: row, &painter)
        }
        finish(look, row: row, &painter)
    }

    /// Draws a row without a task; a sign marks its place if it has a number or a task is expected.
    func drawBlank(_ look: Look, row: Int, _ painter: inout Painter) {
        if look.number != nil || look.isReserved {
            drawNumber(look, row: row, &painter)
            let style = painter.theme.style(.track)
            painter.put(painter.glyphs.empty, style, column: columns.mark.start, row: row)
        }
        finish(look, row: row, &painter)
    }

    private func drawNumber(_ look: Look, row: Int, _ painter: inout Painter) {
        guard let number = look.number else { return }
        let style = style(.faint, look, painter.theme)
        painter.put(String(number), style, columns.number, row: row, .trailing)
    }

    /// The style of the number or title of a row, which in the selected row includes the cursor's
    /// style.
    private func style(_ role: Theme.Role, _ look: Look, _ theme: Theme) -> CellStyle {
        var style = theme.style(role)
        guard look.isSelected else { return style }
        let cursor = theme.style(.cursor)
        style.attributes.formUnion(cursor.attributes)
        if cursor.foreground != .standard { style.foreground = cursor.foreground }
        return style
    }

    private func drawTitle(
        _ sentence: TaskSentence,
        _ look: Look,
        row: Int,
        _ painter: inout Painter
    ) {
        let fold =
            switch look.folding {
            case .none: ""
            case .folded: String(painter.glyphs.folded) + " "
            case .unfolded: String(painter.glyphs.unfolded) + " "
            }
        let indent = min(look.depth * 2, max(columns.title.width - 8, 0))
        var field = columns.title.dropping(indent)
        let attempt = sentence.row.attempt > 1 ? " (attempt \(sentence.row.attempt))" : ""
        let title = fold + (look.isAlerted ? "* " : "") + sentence.title + attempt
        if look.isHeadedByHost, columns.host.width == 0 {
            let host = Field(start: field.start, width: min(Self.hostWidth, field.width / 3))
            painter.put(PlainText.clean(sentence.row.host), .faint, host, row: row)
            field = field.dropping(host.width + 1)
        }
        let style = style(.title, look, painter.theme)
        let badge = badge(of: sentence, look, beside: DisplayText.width(of: title), in: field.width)
        var titleField = field
        titleField.width -= DisplayText.width(of: badge)
        field = field.dropping(painter.put(title, style, titleField, row: row))
        field = field.dropping(painter.put(badge, .attention, field, row: row))
        if look.saysCounts, sentence.row.isParent, !sentence.isCountedByChildren {
            let counts = " " + sentence.endedBelow
            field = field.dropping(painter.put(counts, .faint, field, row: row))
        }
        // Without a column for the detail, the remark follows the title.
        field = field.dropping(2)
        guard columns.detail.width == 0, field.width >= 8, sentence.problem == nil else { return }
        painter.put(sentence.remark, .faint, field, row: row)
    }

    /// "  2 need attention", or " 2!" where that is too long: how many tasks below a row need
    /// attention, unless their own rows or the counts show it.
    private func badge(
        of sentence: TaskSentence,
        _ look: Look,
        beside title: Int,
        in width: Int
    ) -> String {
        let count = sentence.row.attentionBelow
        let isSaid = sentence.isCountedByChildren && columns.counts.number.width > 0
        guard count > 0, sentence.problem == nil, look.folding != .unfolded, !isSaid else {
            return ""
        }
        let number = HumanNumbers.grouped(count)
        let long = "  \(number) need\(count == 1 ? "s" : "") attention"
        return title + DisplayText.width(of: long) <= width ? long : " \(number)!"
    }

    private func drawNumbers(
        _ sentence: TaskSentence,
        _ look: Look,
        row: Int,
        _ painter: inout Painter
    ) {
        let hasEnded = sentence.row.state.isEnded
        let role: Theme.Role = hasEnded ? .faint : .text
        if columns.counts.number.width > 0 {
            if let amount = sentence.amount(width: columns.counts.number.width) {
                put(amount, role, columns.counts, row: row, &painter)
            } else {
                let field = columns.counts.whole
                let below = sentence.descendants(width: field.width)
                // The word explains the missing amount to a person who does not know the mark yet.
                let isCancelled = below.isEmpty && sentence.row.condition == .cancelled
                painter.put(isCancelled ? sentence.word : below, role, field, row: row)
            }
        }
        let pace = sentence.pace(
            width: columns.rate.number.width,
            unitWidth: columns.rate.unit.width
        )
        put(pace, role, columns.rate, row: row, &painter)
        if let trend = look.trend, sentence.row.condition == .running, columns.trend.width > 0 {
            painter.putTrend(trend, column: columns.trend.start, row: row)
        }
        // Without a column for the time taken, an ended task shows it in the column of the time
        // left.
        let isShort = columns.taken.number.width == 0
        let left =
            hasEnded && isShort
            ? sentence.duration
            : hasEnded ? nil : sentence.remaining(unitWidth: columns.left.unit.width)
        put(left, role, columns.left, row: row, &painter)
        if columns.ends.width > 0, let end = sentence.end {
            painter.put(painter.minute(unixTime: end), .faint, columns.ends, row: row, .trailing)
        }
        put(sentence.duration, role, columns.taken, row: row, &painter)
        if !sentence.row.host.isEmpty {
            painter.put(PlainText.clean(sentence.row.host), .faint, columns.host, row: row)
        }
        painter.put(sentence.remark, .faint, columns.detail, row: row)
    }

    private func drawProblem(_ sentence: TaskSentence, row: Int, _ painter: inout Painter) {
        let words = columns.words
        guard words.width > 0, let problem = sentence.problem(columns: words.width) else { return }
        // The problem is cut to the columns; the place and the suggested action follow only if they
        // fit in full.
        var text = problem
        if words.width < Self.leastForProblem, DisplayText.width(of: problem) > words.width {
            text = sentence.word
        }
        for more in [sentence.place.map { " (\($0))" }, sentence.suggestedAction.map { ": " + $0 }]
        {
            guard let more, text.hasPrefix(problem) else { continue }
            if DisplayText.width(of: text + more) <= words.width { text += more }
        }
        painter.put(text, painter.theme.words(of: sentence.row), words, row: row)
    }

    private func finish(_ look: Look, row: Int, _ painter: inout Painter) {
        let theme = painter.theme
        if look.isDimmed {
            painter.grid.restyle(column: 0, row: row, width: columns.width) { style in
                style = theme.style(.filtered)
            }
        }
        guard look.isSelected else { return }
        let cursor = painter.glyphs.cursor
        painter.put(cursor, theme.style(.fill), column: columns.cursor.start, row: row)
        let background = theme.style(.cursor).background
        guard background != .standard else { return }
        painter.grid.restyle(column: 0, row: row, width: columns.width) { style in
            style.background = background
        }
    }

    // MARK: - Texts in the columns of a row

    /// The names of the columns, in the row above them.
    func drawHeads(_ title: String, row: Int, _ painter: inout Painter) {
        painter.put("#", .faint, columns.number, row: row, .trailing)
        painter.put(title, .faint, columns.title, row: row)
        let (left, isWide) = (columns.left, columns.left.number.width >= 4)
        let heads: [(String, Field, Alignment)] = [
            ("PROGRESS", columns.bar.upTo(columns.percent), .leading),
            ("DONE", columns.counts.number, .trailing), ("RATE", columns.rate.number, .trailing),
            ("TREND", columns.trend, .leading),
            ("LEFT", isWide ? left.number : left.whole, isWide ? .trailing : .leading),
            ("ENDS", columns.ends, .leading), ("TIME", columns.taken.whole, .leading),
            ("HOST", columns.host, .leading), ("NOW", columns.detail, .leading),
        ]
        for (head, field, alignment) in heads where head.count <= field.width {
            painter.put(head, .faint, field, row: row, alignment)
        }
    }

    /// A number with its unit; where the number is too long for its part, words in the whole field.
    func put(
        _ measure: Measure?,
        _ role: Theme.Role,
        _ field: RowColumns.Measures,
        row: Int,
        _ painter: inout Painter
    ) {
        guard let measure, field.number.width > 0 else { return }
        if DisplayText.width(of: measure.number) <= field.number.width {
            painter.put(measure.number, role, field.number, row: row, .trailing)
            painter.put(measure.unit, .faint, field.unit, row: row)
            return
        }
        // A number that is cut would read as another number.
        guard DisplayText.width(of: measure.text) <= field.whole.width else { return }
        painter.put(measure.text, role, field.whole, row: row)
    }
}
