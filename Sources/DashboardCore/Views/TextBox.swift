import CellScreen

/// A frame in the middle of the screen with lines of text in it, as large as they need and fit.
struct TextBox {
    var title: String
    var lines: [String]
    let area: ScreenLayout.Area
    /// How many of the last lines stay where there is no room for all.
    private let kept: Int

    init(title: String, lines: [String], kept: Int = 1, columns: Int, rows: Int) {
        self.title = title
        self.lines = lines
        self.kept = kept
        let widest = (lines + [title]).map { DisplayText.width(of: $0) }.max() ?? 0
        let width = min(widest + 4, columns)
        let height = min(lines.count + 2, rows)
        area = ScreenLayout.Area(
            column: (columns - width) / 2,
            row: (rows - height) / 2,
            width: width,
            height: height
        )
    }

    /// Inside the frame; where there is no room for a frame, everything.
    var inner: ScreenLayout.Area {
        guard area.height >= 3, area.width >= 6 else { return area }
        return ScreenLayout.Area(
            column: area.column + 2,
            row: area.row + 1,
            width: area.width - 4,
            height: area.height - 2
        )
    }

    func draw(_ painter: Painter, on grid: inout CellGrid) {
        let style = painter.theme.style(.dialog)
        grid.fill(
            column: area.column,
            row: area.row,
            width: area.width,
            height: area.height,
            style: style
        )
        if inner != area { drawFrame(painter, on: &grid) }
        for (index, line) in visibleLines.enumerated() {
            painter.put(
                line,
                .dialog,
                column: inner.column,
                row: inner.row + index,
                width: inner.width,
                on: &grid
            )
        }
    }

    /// What there is no room for is missing in the middle, never at the end: buttons are there.
    private var visibleLines: [String] {
        guard lines.count > inner.height, inner.height > 0 else { return lines }
        let kept = min(kept, inner.height)
        return Array(lines.prefix(inner.height - kept) + lines.suffix(kept))
    }

    private func drawFrame(_ painter: Painter, on grid: inout CellGrid) {
        let style = painter.theme.style(.dialog)
        // Corners by where they are seen: a mirrored grid swaps left and right.
        let frame = grid.isMirrored ? painter.glyphs.box.mirrored : painter.glyphs.box
        let right = area.column + area.width - 1
        let bottom = area.row + area.height - 1
        for column in area.column...right {
            grid.put(frame.horizontal, column: column, row: area.row, style: style)
            grid.put(frame.horizontal, column: column, row: bottom, style: style)
        }
        for row in area.row...bottom {
            grid.put(frame.vertical, column: area.column, row: row, style: style)
            grid.put(frame.vertical, column: right, row: row, style: style)
        }
        grid.put(frame.topLeading, column: area.column, row: area.row, style: style)
        grid.put(frame.topTrailing, column: right, row: area.row, style: style)
        grid.put(frame.bottomLeading, column: area.column, row: bottom, style: style)
        grid.put(frame.bottomTrailing, column: right, row: bottom, style: style)
        if !title.isEmpty {
            painter.put(
                title,
                .dialog,
                column: area.column + 2,
                row: area.row,
                width: min(DisplayText.width(of: title), area.width - 4),
                on: &grid
            )
        }
    }

    /// The text in lines of at most so many columns, broken between words where possible.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        guard width > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let candidate = line.isEmpty ? String(word) : line + " " + word
            if DisplayText.width(of: candidate) <= width {
                line = candidate
            } else {
                if !line.isEmpty { lines.append(line) }
                line = DisplayText.clipped(String(word), to: width)
            }
            if lines.count >= 20 { break }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
