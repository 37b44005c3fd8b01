import CellScreen

/// The question in front of everything, with a button for each answer.
extension DashboardModel {
    func drawDialog(_ dialog: Dialog, _ painter: inout Painter) {
        let width = max(min(columns - 8, 60), 1)
        let rows = Self.buttonRows(of: dialog, width: max(columns - 4, 1))
        let lines =
            dialog.sentences.flatMap { TextBox.wrapped($0, to: width) } + [""]
            + rows.map { String(repeating: " ", count: Self.width(of: $0)) }
        let box = TextBox(
            title: "",
            lines: lines,
            kept: rows.count,
            columns: columns,
            rows: self.rows - layout.footer.height
        )
        box.draw(&painter)
        let area = box.inner
        // Those that there is room for, the one that Enter would do among them.
        let chosen = rows.firstIndex { $0.contains(dialog.chosen) } ?? 0
        let first = max(min(chosen, rows.count - area.height), 0)
        let shown = rows.dropFirst(first).prefix(max(area.height, 0))
        for (index, choices) in shown.enumerated() {
            var column = area.column
            for choice in choices {
                let isChosen = choice == dialog.chosen
                // Brackets, so that the choice is seen without colour and without reverse video too.
                painter.putWord(
                    isChosen ? "[" + choice.label + "]" : " " + choice.label + " ",
                    isChosen ? .chosenButton : .button,
                    from: column,
                    to: area.field.end,
                    row: area.row + area.height - shown.count + index
                )
                column += Self.width(of: [choice]) + 1
            }
        }
    }

    /// All in one row where they fit, else each in its own.
    private static func buttonRows(of dialog: Dialog, width: Int) -> [[Dialog.Choice]] {
        Self.width(of: dialog.choices) <= width ? [dialog.choices] : dialog.choices.map { [$0] }
    }

    /// The columns of buttons with their brackets, and a blank between them.
    private static func width(of choices: [Dialog.Choice]) -> Int {
        choices.reduce(-1) { $0 + DisplayText.width(of: $1.label) + 3 }
    }
}
