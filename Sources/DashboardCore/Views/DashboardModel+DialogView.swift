import CellScreen

/// The question in front of everything, with a button for each answer.
extension DashboardModel {
    func drawDialog(_ dialog: Dialog, _ painter: inout Painter) {
        parts(of: dialog).box.draw(&painter)
        for button in buttons(of: dialog) {
            let isChosen = button.choice == dialog.choices[dialog.chosen]
            // Brackets, so that the choice is seen without colour and without reverse video too.
            painter.putWord(
                isChosen ? "[" + button.choice.label + "]" : " " + button.choice.label + " ",
                isChosen ? .chosenButton : .button,
                from: button.field.start,
                to: button.field.end,
                row: button.row
            )
        }
    }

    /// The buttons that there is room for, and where they are.
    func buttons(of dialog: Dialog) -> [(choice: Dialog.Choice, field: Field, row: Int)] {
        let (box, rows, _) = parts(of: dialog)
        let area = box.inner
        return rows.enumerated().flatMap { index, choices in
            var column = area.column
            return choices.map { choice in
                let width = Self.width(of: [choice])
                defer { column += width + 1 }
                let field = Field(start: column, width: min(width, area.field.end - column))
                return (choice, field, area.row + area.height - rows.count + index)
            }
        }
    }

    /// Lines of the question that there is no room for.
    var dialogLinesCut: Int { dialog.map { parts(of: $0).cut } ?? 0 }

    /// Shows other lines of a question that is longer than the screen.
    mutating func scrollDialog(_ direction: KeyAction.Direction) {
        guard let dialog else { return }
        let (box, _, cut) = parts(of: dialog)
        let first = direction.step(from: min(dialog.scroll, cut), page: max(box.lines.count, 1)).to
        self.dialog?.scroll = min(max(first, 0), cut)
    }

    /// The box with the scrolled text, the buttons that fit, and how many lines of the text do not.
    ///
    /// On a small screen the buttons have at least one row, and so has the text if there are two;
    /// the title tells which lines of the text are shown.
    private func parts(of dialog: Dialog) -> (box: TextBox, buttons: [[Dialog.Choice]], cut: Int) {
        let width = max(columns - 4, 1)
        let text = dialog.sentences.flatMap { TextBox.wrapped($0, to: min(width, 60)) }
        var buttons = Self.buttonRows(of: dialog, width: width)
        var box = TextBox(
            title: "",
            lines: text + [""]
                + buttons.map { String(repeating: " ", count: Self.width(of: $0)) },
            columns: columns,
            rows: rows - layout.footer.height
        )
        let height = box.inner.height
        guard height < box.lines.count else { return (box, buttons, 0) }
        let shown = min(buttons.count, max(height - 1, 1))
        // The chosen button is among those shown.
        let chosen = buttons.firstIndex { $0.contains(dialog.choices[dialog.chosen]) } ?? 0
        buttons = Array(buttons.dropFirst(min(chosen, buttons.count - shown)).prefix(shown))
        let cut = max(text.count - max(height - shown, 0), 0)
        let first = min(dialog.scroll, cut)
        box.lines = Array(text.dropFirst(first).dropLast(cut - first))
        if cut > 0 {
            box.title = " \(first + 1) to \(first + box.lines.count) of \(text.count) "
        }
        return (box, buttons, cut)
    }

    /// The buttons in one row if they fit, or else one in each row.
    private static func buttonRows(of dialog: Dialog, width: Int) -> [[Dialog.Choice]] {
        Self.width(of: dialog.choices) <= width ? [dialog.choices] : dialog.choices.map { [$0] }
    }

    /// The columns of buttons with their brackets, and a blank between them.
    private static func width(of choices: [Dialog.Choice]) -> Int {
        choices.reduce(-1) { $0 + DisplayText.width(of: $1.label) + 3 }
    }
}
