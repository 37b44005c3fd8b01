import CellScreen

/// A frame with lines of text in the middle of the screen, as large as the text needs and fits.
struct TextBox {
    var title: String
    var lines: [String]
    let area: Area

    init(title: String, lines: [String], columns: Int, rows: Int) {
        self.title = title
        self.lines = lines
        let widest = (lines + [title]).map { DisplayText.width(of: $0) }.max() ?? 0
        let width = min(widest + 4, columns)
        let height = min(lines.count + 2, rows)
        area = Area(
            column: (columns - width) / 2,
            row: (rows - height) / 2,
            width: width,
            height: height
        )
    }

    /// Inside the frame; where there is no room for a frame, everything.
    var inner: Area {
        guard area.height >= 3, area.width >= 6 else { return area }
        return Area(
            column: area.column + 2,
            row: area.row + 1,
            width: area.width - 4,
            height: area.height - 2
        )
    }

    func draw(_ painter: inout Painter) {
        painter.fill(area, .dialog)
        if inner != area { drawFrame(&painter) }
        painter.putLines(lines, .dialog, in: inner)
    }

    private func drawFrame(_ painter: inout Painter) {
        let (box, style) = (painter.glyphs.box, painter.theme.style(.dialog))
        let (left, right) = (area.column, area.field.end - 1)
        let (top, bottom) = (area.row, area.row + area.height - 1)
        for row in top...bottom {
            painter.put(box.vertical, style, column: left, row: row)
            painter.put(box.vertical, style, column: right, row: row)
        }
        for row in [top, bottom] { painter.put(box.horizontal, style, left..<right, row: row) }
        painter.put(box.topLeading, style, column: left, row: top)
        painter.put(box.topTrailing, style, column: right, row: top)
        painter.put(box.bottomLeading, style, column: left, row: bottom)
        painter.put(box.bottomTrailing, style, column: right, row: bottom)
        painter.putWord(title, .dialog, from: left + 2, to: right - 1, row: top)
    }

    /// The text in lines of at most `width` columns, broken between words where possible.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        guard width > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let candidate = line.isEmpty ? String(word) : line + " " + word
            if DisplayText.width(of: candidate) <= width {
                line = candidate
            } else if DisplayText.width(of: String(word)) <= width {
                lines.append(line)
                line = String(word)
            } else {
                let pieces = DisplayText.pieces(of: candidate, width: width)
                lines += pieces.dropLast()
                line = pieces.last ?? ""
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
