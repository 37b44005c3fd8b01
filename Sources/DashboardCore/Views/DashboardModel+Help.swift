import CellScreen

/// What is drawn over the views: the keys of the view, and the question before a cancel.
extension DashboardModel {
    func drawHelp(_ painter: Painter, on grid: inout CellGrid) {
        let lines = helpKeys.map { key, meaning in
            key + String(repeating: " ", count: max(14 - DisplayText.width(of: key), 1)) + meaning
        }
        let box = TextBox(title: " Keys: \(viewName) ", lines: lines, on: grid)
        box.draw(painter, on: &grid)
    }

    func drawDialog(_ dialog: CancelDialog, _ painter: Painter, on grid: inout CellGrid) {
        let width = max(min(grid.columns - 8, 60), 1)
        let below =
            dialog.below > 0
            ? [
                "\(dialog.below) task\(dialog.below == 1 ? "" : "s") below \(dialog.below == 1 ? "is" : "are") asked to stop with it."
            ]
            : []
        let loss =
            dialog.consequence.isEmpty
            ? "It has not said what would be lost." : PlainText.clean(dialog.consequence)
        let question = "Cancel \"\(PlainText.clean(dialog.title))\"?"
        var lines = TextBox.wrapped(question, to: width)
        lines += TextBox.wrapped(loss, to: width)
        lines += below.flatMap { TextBox.wrapped($0, to: width) }
        // The last line is for the buttons.
        lines += ["", String(repeating: " ", count: Self.buttonsWidth(of: dialog))]
        let box = TextBox(title: "", lines: lines, on: grid)
        box.draw(painter, on: &grid)
        drawButtons(of: dialog, in: box, painter, on: &grid)
    }

    private func drawButtons(
        of dialog: CancelDialog,
        in box: TextBox,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        let area = box.inner
        guard area.height > 0 else { return }
        let row = area.row + area.height - 1
        let labels = dialog.choices.map { choice in
            let isChosen = choice == dialog.chosen
            // Brackets, so that the choice is seen without colour and without reverse video too.
            return (isChosen ? "[" + choice.label + "]" : " " + choice.label + " ", isChosen)
        }
        if Self.buttonsWidth(of: dialog) > area.width {
            // Too narrow for all: the one that Enter would do.
            let chosen = labels.first { $0.1 }?.0 ?? ""
            painter.put(
                chosen,
                .chosenButton,
                column: area.column,
                row: row,
                width: area.width,
                on: &grid
            )
            return
        }
        var column = area.column
        for (label, isChosen) in labels {
            let width = DisplayText.width(of: label)
            painter.put(
                label,
                isChosen ? .chosenButton : .button,
                column: column,
                row: row,
                width: width,
                on: &grid
            )
            column += width + 1
        }
    }

    /// The columns that all buttons take, each with its brackets and a blank between.
    private static func buttonsWidth(of dialog: CancelDialog) -> Int {
        dialog.choices.reduce(-1) { $0 + DisplayText.width(of: $1.label) + 3 }
    }

    private var viewName: String {
        switch view {
        case .board: "the board"
        case .job: "one job"
        case .mosaic: "the mosaic"
        }
    }

    private var helpKeys: [(String, String)] {
        var keys: [(String, String)]
        switch view {
        case .board:
            keys = [
                ("arrows, j k", "move"), ("PgUp PgDn", "other pages"), ("Home End", "first, last"),
                ("1 to 9", "go to a slot"), ("Enter", "open the job"),
                ("+ -", "lines of a slot"),
            ]
        case .job:
            keys = [
                ("arrows, j k", "move"), ("Enter", "show or hide what is below"),
                ("left", "hide, or to the parent"), ("PgUp PgDn", "scroll"),
                ("=", "fit rows to what there is"), ("Esc", "back to the board"),
            ]
        case .mosaic:
            keys = [
                ("arrows, h j k", "move"), ("PgUp PgDn", "scroll"),
                ("Enter", "show the task in its tree"), ("Esc", "back"),
            ]
        }
        keys += [("/", "filter: dims the others"), ("n N", "next, previous match or trouble")]
        if !options.isReadOnly {
            keys += [
                ("p", "pause or resume"), ("x", "cancel (asks first)"),
                ("d", "dismiss what has ended"),
            ]
        }
        keys += [
            ("Tab", "details"), ("l", "messages"), ("m", "mosaic"), ("b", "name background work"),
            ("f", "freeze the picture"), ("R", "ask for a fresh picture"),
            ("q, Ctrl-C", "quit; the work goes on"),
        ]
        return keys
    }
}

extension CancelDialog.Choice {
    var label: String {
        switch self {
        case .keepGoing: "Keep Going"
        case .pauseInstead: "Pause Instead"
        case .cancelTask: "Cancel Task"
        }
    }
}
