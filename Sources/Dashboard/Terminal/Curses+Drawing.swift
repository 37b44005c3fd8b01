import CNcurses
import CellScreen

/// From grids to bytes.
extension Curses {
    /// The bytes that turn what the terminal shows into this grid.
    ///
    /// - Parameters:
    ///   - grid: What is to be seen.
    ///   - former: The last grid drawn, if the terminal still shows it.
    ///   - bytes: What they are appended to.
    mutating func frame(_ grid: CellGrid, over former: CellGrid?, into bytes: inout [UInt8]) {
        var former = former
        if !paint(grid, over: former) {
            // Out of pairs: what is on the screen gives its numbers back.
            pairs.forgetAll()
            reset_color_pairs()
            clearok(window, true)
            former = nil
            _ = paint(grid, over: nil)
        }
        let linked = linkedRows(grid, over: former)
        for row in linked { wredrawln(window, Int32(clamping: row), 1) }
        wnoutrefresh(window)
        doupdate()
        takeOutput(&bytes)
        for row in linked { bytes += links(grid, row: row) }
    }

    /// False if there were too many pairs of colours.
    private mutating func paint(_ grid: CellGrid, over former: CellGrid?) -> Bool {
        var isComplete = true
        for number in 0..<grid.rows {
            guard let columns = grid.changedColumns(row: number, since: former) else { continue }
            let cells = grid.cells(row: number)
            let begin = cells.startIndex + columns.lowerBound
            let changed = cells[begin..<begin + columns.count]
            isComplete = paint(changed, row: number, column: columns.lowerBound) && isComplete
        }
        return isComplete
    }

    /// Paints what differs, as one stretch: ncurses itself compares what lies between.
    private mutating func paint(_ cells: ArraySlice<Cell>, row number: Int, column: Int) -> Bool {
        row.removeAll(keepingCapacity: true)
        var isComplete = true
        var style = CellStyle.plain
        var ink = Ink()
        for cell in cells where cell.width > 0 {
            if cell.style != style {
                style = cell.style
                let pair = self.number(
                    of: ColorPairs.Pair(foreground: style.foreground, background: style.background)
                )
                isComplete = isComplete && pair != nil
                ink = Ink(attributes: Self.attributes(of: style), pair: pair ?? 0)
            }
            append(cell, ink)
        }
        row.withUnsafeBufferPointer { buffer in
            _ = mvwadd_wchnstr(
                window,
                Int32(clamping: number),
                Int32(clamping: column),
                buffer.baseAddress,
                Int32(clamping: buffer.count)
            )
        }
        return isComplete
    }

    /// What ncurses wants to know of a style.
    private struct Ink {
        var attributes: attr_t = 0
        var pair: Int32 = 0
    }

    private static func attributes(of style: CellStyle) -> attr_t {
        var attributes: attr_t = 0
        if style.attributes.contains(.bold) { attributes |= curses_bold() }
        if style.attributes.contains(.dim) { attributes |= curses_dim() }
        if style.attributes.contains(.reverse) { attributes |= curses_reverse() }
        if style.attributes.contains(.underline) { attributes |= curses_underline() }
        return attributes
    }

    private mutating func append(_ cell: Cell, _ ink: Ink) {
        var scalar = cell.scalar
        if !cell.scalar.isASCII, curses_width(wchar_t(bitPattern: cell.scalar.value)) != cell.width
        {
            // The locale cannot show it; the columns stay.
            scalar = "?"
        }
        append(scalar, marks: scalar == cell.scalar ? cell.marks : .init(), ink)
        if scalar != cell.scalar, cell.width == 2 { append(" ", marks: .init(), ink) }
    }

    private mutating func append(
        _ scalar: Unicode.Scalar,
        marks: Cell.Marks,
        _ ink: Ink
    ) {
        var result = cchar_t()
        var pair = ink.pair
        let characters = (
            wchar_t(bitPattern: scalar.value), wchar_t(bitPattern: marks.first.value),
            wchar_t(bitPattern: marks.second.value), wchar_t(0)
        )
        withUnsafeBytes(of: characters) { bytes in
            let text = bytes.bindMemory(to: wchar_t.self).baseAddress
            // A mark that the C library counts as a column makes it refuse the whole.
            if setcchar(&result, text, ink.attributes, 0, &pair) != OK {
                let bare = [wchar_t(bitPattern: scalar.value), 0]
                setcchar(&result, bare, ink.attributes, 0, &pair)
            }
        }
        row.append(result)
    }

    private mutating func number(of pair: ColorPairs.Pair) -> Int32? {
        guard colors > 0 else { return 0 }
        switch pairs.number(of: pair) {
        case .known(let number):
            return Int32(clamping: number)
        case .new(let number):
            init_extended_pair(
                Int32(clamping: number),
                Self.number(of: pair.foreground),
                Self.number(of: pair.background)
            )
            return Int32(clamping: number)
        case .full:
            return nil
        }
    }

    private static func number(of color: CellColor) -> Int32 { color.index.map { Int32($0) } ?? -1 }
}
