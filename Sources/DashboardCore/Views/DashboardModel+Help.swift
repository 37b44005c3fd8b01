import CellScreen

/// The help: a box over the view with the keys of the view.
extension DashboardModel {
    func drawHelp(_ painter: inout Painter) {
        var box = helpBox
        let count = box.lines.count
        let height = box.inner.height
        let first = min(helpScroll ?? 0, helpLinesCut)
        box.lines = Array(box.lines.dropFirst(first).prefix(height))
        if height < count {
            box.title += "(\(first + 1) to \(first + box.lines.count) of \(count)) "
        }
        box.draw(&painter)
    }

    /// How many lines of the help the screen has no room for.
    var helpLinesCut: Int {
        let box = helpBox
        return max(box.lines.count - box.inner.height, 0)
    }

    /// The box with all lines of the help, which keeps its size while they are scrolled.
    private var helpBox: TextBox {
        let lines = KeyTable.of(viewContext).bindings
            .filter { !$0.changesWork || options.readOnly == nil }
            .flatMap { Self.lines(of: $0, width: max(columns - 4, 1)) }
        let rows = rows - layout.footer.height
        return TextBox(title: " Keys: \(viewName) ", lines: lines, columns: columns, rows: rows)
    }

    private static let nameWidth = 14

    /// The keys and what they do; on a narrow screen the keys have a row of their own.
    private static func lines(of binding: KeyBinding, width: Int) -> [String] {
        let isNarrow = width < nameWidth + 24
        let indent = isNarrow ? 2 : nameWidth
        var lines = TextBox.wrapped(binding.meaning, to: max(width - indent, 1))
            .map { String(repeating: " ", count: indent) + $0 }
        if isNarrow { return [binding.name] + lines }
        let blanks = max(nameWidth - DisplayText.width(of: binding.name), 1)
        lines[0] = binding.name + String(repeating: " ", count: blanks) + lines[0].dropFirst(indent)
        return lines
    }

    private var viewName: String {
        switch view {
        case .board: "the board"
        case .ordered: "a copy of the board"
        case .job: "one job"
        case .mosaic: "the mosaic"
        }
    }
}
