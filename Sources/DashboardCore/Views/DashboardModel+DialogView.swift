import CellScreen

/// The question in front of everything, with a button for each answer.
extension DashboardModel {
    func drawDialog(_ dialog: Dialog, _ painter: Painter, on grid: inout CellGrid) {
        let width = max(min(grid.columns - 8, 60), 1)
        var lines = dialog.sentences.flatMap { TextBox.wrapped($0, to: width) } + [""]
        let rows = buttonRows(of: dialog, width: max(grid.columns - 4, 1))
        lines += rows.map { row in
            String(repeating: " ", count: row.reduce(-1) { $0 + Self.width(of: $1) + 1 })
        }
        let box = TextBox(
            title: "",
            lines: lines,
            kept: rows.count,
            columns: grid.columns,
            rows: grid.rows - layout.footer.height
        )
        box.draw(painter, on: &grid)
        let area = box.inner
        let shown = Self.visible(rows, of: dialog, height: area.height)
        for (index, row) in shown.enumerated() {
            draw(
                row,
                of: dialog,
                area,
                row: area.row + area.height - shown.count + index,
                painter,
                on: &grid
            )
        }
    }

    /// All in one row where they fit, else each in its own.
    private func buttonRows(of dialog: Dialog, width: Int) -> [[Dialog.Choice]] {
        let wanted = dialog.choices.reduce(-1) { $0 + Self.width(of: $1) + 1 }
        return wanted <= width ? [dialog.choices] : dialog.choices.map { [$0] }
    }

    /// Those that there is room for, the one that Enter would do among them.
    private static func visible(
        _ rows: [[Dialog.Choice]],
        of dialog: Dialog,
        height: Int
    ) -> ArraySlice<[Dialog.Choice]> {
        let chosen = rows.firstIndex { $0.contains(dialog.chosen) } ?? 0
        let first = max(min(chosen, rows.count - height), 0)
        return rows[first..<min(first + max(height, 0), rows.count)]
    }

    private func draw(
        _ choices: [Dialog.Choice],
        of dialog: Dialog,
        _ area: ScreenLayout.Area,
        row: Int,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        var column = area.column
        for choice in choices {
            let isChosen = choice == dialog.chosen
            // Brackets, so that the choice is seen without colour and without reverse video too.
            painter.put(
                isChosen ? "[" + choice.label + "]" : " " + choice.label + " ",
                isChosen ? .chosenButton : .button,
                column: column,
                row: row,
                width: min(Self.width(of: choice), area.column + area.width - column),
                on: &grid
            )
            column += Self.width(of: choice) + 1
        }
    }

    /// The columns of a button with its brackets.
    private static func width(of choice: Dialog.Choice) -> Int {
        DisplayText.width(of: choice.label) + 2
    }
}
