import CellScreen
import ProgressBus
import TaskTree

/// The last line: what is being typed, what just happened, or the five keys that matter now.
extension DashboardModel {
    func drawFooter(
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
            style: painter.theme.style(.footer)
        )
        if let text = footerText(at: now, painter) {
            painter.put(
                text,
                .footer,
                column: area.column,
                row: area.row,
                width: area.width,
                on: &grid
            )
        } else {
            drawKeys(area, painter, on: &grid)
        }
    }

    private func footerText(at now: Moment, _ painter: Painter) -> String? {
        switch prompt {
        case .slot(let text): return "slot: \(text)_   Enter goes, Esc leaves"
        case .filter(let text): return "filter: \(text)_   Enter keeps, Esc leaves"
        case nil: break
        }
        if let focus = activity.focus, activity.cells.indices.contains(focus),
            let row = store.row(activity.cells[focus])
        {
            return "in the background: " + TaskSentence(row, at: painter.now).line
        }
        if let note, note.until > now { return note.text }
        return nil
    }

    private func drawKeys(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        var column = area.column
        for (key, meaning) in keysThatMatter {
            let width = DisplayText.width(of: key) + 1 + DisplayText.width(of: meaning)
            guard column + width <= area.column + area.width else { break }
            column += painter.put(
                key,
                .key,
                column: column,
                row: area.row,
                width: DisplayText.width(of: key),
                on: &grid
            )
            column += 1
            column += painter.put(
                meaning,
                .footer,
                column: column,
                row: area.row,
                width: DisplayText.width(of: meaning),
                on: &grid
            )
            column += 3
        }
    }

    /// Five keys, the ones for what is on screen first.
    private var keysThatMatter: [(String, String)] {
        if isHelpShown { return [("any key", "back")] }
        if dialog != nil {
            return [("arrows", "choose"), ("Enter", "do it"), ("Esc", "keep going")]
        }
        var keys: [(String, String)] = []
        if frozen != nil { keys.append(("f", "go on")) }
        if !filter.isEmpty { keys.append(("n", "next match")) }
        switch view {
        case .board: keys.append(("Enter", "open"))
        case .job: keys.append(("Enter", "unfold"))
        case .mosaic: keys.append(("Enter", "show in tree"))
        }
        if view != .board { keys.append(("Esc", "back")) }
        if !options.isReadOnly, let row = selected.flatMap({ store.rows[$0] }) {
            if row.state.isEnded {
                keys.append(("d", "dismiss"))
            } else {
                if row.options.isCancellable { keys.append(("x", "cancel")) }
                if row.options.isPausable {
                    keys.append(("p", row.state == .paused ? "resume" : "pause"))
                }
            }
        }
        if filter.isEmpty, store.broker.map({ $0.needingAttention > 0 }) == true {
            keys.append(("n", "attention"))
        }
        keys += [("Tab", "details"), ("/", "filter"), ("m", "mosaic")]
        return Array(keys.prefix(3)) + [("?", "keys"), ("q", "quit")]
    }
}
