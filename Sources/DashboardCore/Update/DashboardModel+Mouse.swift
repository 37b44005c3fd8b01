import CellScreen
import ProgressBus
import TaskTree

/// The mouse: a click selects, a second one opens, the wheel scrolls.
///
/// A click on a mark of folding folds, one on a key in the footer presses it.
extension DashboardModel {
    /// Seconds within which a second click on the same cell is a double click.
    private static let doubleClick = 0.4

    mutating func take(_ mouse: MouseEvent) {
        let column = options.isMirrored ? columns - 1 - mouse.column : mouse.column
        if mouse.kind == .click, mouse.row == layout.footer.row, layout.footer.height > 0 {
            if let key = offeredKey(atColumn: column, at: now) { press(key) }
            return
        }
        if let dialog, mouse.kind == .click {
            let button = buttons(of: dialog).first {
                $0.row == mouse.row && ($0.field.start..<$0.field.end).contains(column)
            }
            guard let button else { return }
            self.dialog?.chosen = dialog.choices.firstIndex(of: button.choice) ?? 0
            return press(.enter)
        }
        guard dialog == nil, prompt == nil else { return }
        if mouse.kind == .click {
            forgetNote()
            if !isHelpShown { click(mouse, column: column) }
        } else {
            let steps = isHelpShown || view == .mosaic ? 1 : 3
            for _ in 0..<steps { press(mouse.kind == .wheelUp ? .up : .down) }
        }
        plotSelected()
    }

    private mutating func click(_ mouse: MouseEvent, column: Int) {
        let row = mouse.row
        if row == layout.header.row, layout.header.height > 0 {
            activity.focus = activityCell(atColumn: column)
        } else if let place = place(line: row - layout.body.row, column: column) {
            let last = lastClick
            lastClick = (column, row, now)
            guard isStop(place) else { return }
            seeking = nil
            moveCursor(to: place)
            let isSecond =
                last.map {
                    $0.row == row && $0.column == column
                        && now.seconds(since: $0.at) <= Self.doubleClick
                } ?? false
            guard isSecond || isFoldMark(atColumn: mouse.column, row: row) else { return }
            if isSecond { lastClick = nil }
            press(.enter)
        }
    }

    /// Whether a cell shows the mark of a folded or unfolded row.
    private func isFoldMark(atColumn column: Int, row: Int) -> Bool {
        guard view == .job else { return false }
        let glyphs = options.shownGlyphs
        let shown = draw(at: now).cell(column: column, row: row)?.scalar
        return shown == glyphs.folded || shown == glyphs.unfolded
    }
}
