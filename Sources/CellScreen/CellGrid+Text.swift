extension CellGrid {
    /// Draws a text into the field of `width` columns at `column`, and blanks the rest of the field.
    ///
    /// The part of the field that lies outside the grid does not count. A text that is too long
    /// ends with the ellipsis, or as much of it as fits. What is drawn of foreign characters is
    /// what `DisplayText` says.
    /// - Returns: the columns that the text took, its ellipsis included.
    @discardableResult
    package mutating func put(
        _ text: String,
        column: Int,
        row: Int,
        width: Int,
        style: CellStyle = .plain,
        alignment: Alignment = .leading,
        ellipsis: String = "…"
    ) -> Int {
        guard let field = field(column, row, width) else { return 0 }
        blankCutHalves(around: field)
        var (end, isWhole) = write(text, into: field, style)
        if !isWhole {
            let start = max(field.upperBound - DisplayText.width(of: ellipsis), field.lowerBound)
            end = min(end, start)
            // A wide character that the ellipsis would cut goes as a whole.
            if end > field.lowerBound, cells[end - 1].width == 2 { end -= 1 }
            end = write(ellipsis, into: end..<field.upperBound, style).end
        }
        for index in end..<field.upperBound { cells[index] = .blank(style) }
        align(field.lowerBound..<end, in: field, alignment)
        return end - field.lowerBound
    }

    /// Writes what fits; `end` is the first cell that is free.
    private mutating func write(
        _ text: String,
        into field: Range<Int>,
        _ style: CellStyle
    ) -> (end: Int, isWhole: Bool) {
        var end = field.lowerBound
        var last = end
        for drawn in DisplayScalars(text) {
            if drawn.width == 0 {
                cells[last].marks.append(drawn.scalar)
                continue
            }
            guard drawn.width <= field.upperBound - end else { return (end, false) }
            last = end
            cells[end] = Cell(scalar: drawn.scalar, style: style, width: UInt8(drawn.width))
            if drawn.width == 2 { cells[end + 1] = .half(style) }
            end += drawn.width
        }
        return (end, true)
    }

    /// Moves a text that was written at the left of its field to where it belongs.
    private mutating func align(_ text: Range<Int>, in field: Range<Int>, _ alignment: Alignment) {
        let spare = field.count - text.count
        let offset = (alignment == .trailing) == isMirrored ? 0 : spare
        guard offset > 0, !text.isEmpty else { return }
        // All that follows the text in its field is blank, and there are `offset` cells of it.
        let blank = cells[text.upperBound]
        for index in text.reversed() { cells[index + offset] = cells[index] }
        for index in text.lowerBound..<min(text.lowerBound + offset, field.upperBound) {
            cells[index] = blank
        }
    }
}
