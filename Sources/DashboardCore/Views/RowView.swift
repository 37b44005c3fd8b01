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
    }

    enum Folding {
        case none, folded, unfolded
    }

    func draw(_ task: TaskSnapshot, _ look: Look, column: Int, row: Int, on grid: inout CellGrid) {
        let theme = painter.theme
        drawNumber(look, column: column, row: row, on: &grid)
        painter.indicators.putMark(
            of: task,
            phase: painter.phase,
            column: column + columns.mark.start,
            row: row,
            on: &grid
        )
        var sentence = TaskSentence(task, at: painter.now)
        sentence.askedSecondsAgo = look.askedSecondsAgo
        sentence.hasParentEnded = look.hasParentEnded
        sentence.saysHost = saysHost
        drawTitle(sentence, look, column: column, row: row, on: &grid)
        painter.indicators.putIndicator(
            of: task,
            phase: painter.phase,
            column: column + columns.bar.start,
            row: row,
            width: columns.bar.width,
            on: &grid
        )
        put(
            sentence.percent ?? "",
            columns.percent,
            theme.style(.text),
            .trailing,
            column,
            row,
            &grid
        )
        if let problem = sentence.problem {
            drawProblem(problem, of: task, sentence, column: column, row: row, on: &grid)
        } else {
            let counts = sentence.counts(width: columns.counts.width)
            put(counts, columns.counts, theme.style(.text), .trailing, column, row, &grid)
            let rate = sentence.rate(width: columns.rate.width)
            put(rate, columns.rate, theme.style(.faint), .trailing, column, row, &grid)
            let time = time(of: task, sentence)
            put(time, columns.left, theme.style(.text), .trailing, column, row, &grid)
            put(sentence.remark, columns.detail, theme.style(.faint), .leading, column, row, &grid)
        }
        finish(look, column: column, row: row, on: &grid)
    }

    /// A row nobody has: blank, but for its number.
    func drawBlank(_ look: Look, column: Int, row: Int, on grid: inout CellGrid) {
        drawNumber(look, column: column, row: row, on: &grid)
        finish(look, column: column, row: row, on: &grid)
    }

    private func drawNumber(_ look: Look, column: Int, row: Int, on grid: inout CellGrid) {
        guard let number = look.number else { return }
        let style = painter.theme.style(.faint)
        put(String(number), columns.number, style, .trailing, column, row, &grid)
    }

    private func drawTitle(
        _ sentence: TaskSentence,
        _ look: Look,
        column: Int,
        row: Int,
        on grid: inout CellGrid
    ) {
        let theme = painter.theme
        let fold =
            switch look.folding {
            case .none: ""
            case .folded: String(painter.folded) + " "
            case .unfolded: String(painter.glyphs.unfolded) + " "
            }
        let indent = min(look.depth * 2, max(columns.title.width - 8, 0))
        let field = RowColumns.Field(
            start: columns.title.start + indent,
            width: columns.title.width - indent
        )
        let attempt = sentence.row.attempt > 1 ? " (attempt \(sentence.row.attempt))" : ""
        let taken = put(
            fold + (look.isAlerted ? "* " : "") + sentence.title + attempt,
            field,
            theme.style(.title),
            .leading,
            column,
            row,
            &grid
        )
        // Where there is no column for it, what is being done follows the title.
        let room = field.width - taken - 2
        guard columns.detail.width == 0, room >= 8, sentence.problem == nil else { return }
        let rest = RowColumns.Field(start: field.start + taken + 2, width: room)
        put(sentence.remark, rest, theme.style(.faint), .leading, column, row, &grid)
    }

    private func drawProblem(
        _ problem: String,
        of task: TaskSnapshot,
        _ sentence: TaskSentence,
        column: Int,
        row: Int,
        on grid: inout CellGrid
    ) {
        let words = columns.words
        guard words.width > 0 else { return }
        let style = painter.theme.style(of: task)
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
        put(text, words, style, .leading, column, row, &grid)
    }

    /// How long it will take, or took.
    private func time(of task: TaskSnapshot, _ sentence: TaskSentence) -> String {
        guard task.state.isEnded else { return sentence.timeLeft(width: columns.left.width) }
        return sentence.elapsed.map(HumanTime.duration) ?? ""
    }

    private func finish(_ look: Look, column: Int, row: Int, on grid: inout CellGrid) {
        let theme = painter.theme
        if look.isDimmed {
            let width = max(columns.detail.end, columns.left.end, columns.percent.end)
            grid.restyle(column: column, row: row, width: width) { style in
                // Reversed glyphs, the last cell of a mirrored bar for one, mean the other half.
                let reverse = style.attributes.intersection(.reverse)
                style = theme.style(.filtered)
                style.attributes.formUnion(reverse)
            }
        }
        guard look.isSelected else { return }
        // The part that never changes, so that the cursor costs nothing while it rests.
        let width = max(columns.title.end, columns.number.end)
        grid.restyle(column: column, row: row, width: width) { style in
            style.attributes.formUnion(theme.style(.cursor).attributes)
            let cursor = theme.style(.cursor)
            if cursor.background != .standard { style.background = cursor.background }
            if cursor.foreground != .standard { style.foreground = cursor.foreground }
        }
    }

    @discardableResult
    private func put(
        _ text: String,
        _ field: RowColumns.Field,
        _ style: CellStyle,
        _ alignment: Alignment,
        _ column: Int,
        _ row: Int,
        _ grid: inout CellGrid
    ) -> Int {
        guard field.width > 0 else { return 0 }
        return grid.put(
            text,
            column: column + field.start,
            row: row,
            width: field.width,
            style: style,
            alignment: alignment,
            ellipsis: painter.glyphs.ellipsis
        )
    }
}
