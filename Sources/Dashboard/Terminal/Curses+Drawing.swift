import CNcurses
import CellScreen

/// From grids to bytes.
extension Curses {
    /// Appends the bytes that turn the former grid, if the terminal still shows it, into this one.
    mutating func frame(_ grid: CellGrid, over former: CellGrid?, into bytes: inout [UInt8]) {
        for number in 0..<grid.rows {
            guard let columns = grid.changedColumns(row: number, since: former) else { continue }
            let cells = grid.cells(row: number)
            let begin = cells.startIndex + columns.lowerBound
            let changed = cells[begin..<begin + columns.count]
            paint(changed, row: number, column: columns.lowerBound)
        }
        let linked = linkedRows(grid, over: former)
        for row in linked { wredrawln(window, Int32(clamping: row), 1) }
        wnoutrefresh(window)
        doupdate()
        takeOutput(&bytes)
        for row in linked { bytes += links(grid, row: row) }
    }

    /// Paints the changed part of a row as one stretch, in which ncurses finds the changed cells.
    private mutating func paint(_ cells: ArraySlice<Cell>, row number: Int, column: Int) {
        row.removeAll(keepingCapacity: true)
        var style = CellStyle.plain
        var ink = Ink()
        for cell in cells where cell.width > 0 {
            if cell.style != style {
                style = cell.style
                ink = Ink(attributes: Self.attributes(of: style), pair: pair(of: style))
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
    }

    /// A style as ncurses takes it.
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
            // The locale cannot show the character; a question mark keeps its column.
            scalar = "?"
        }
        append(scalar, marks: scalar == cell.scalar ? cell.marks : .init(), ink)
        if scalar != cell.scalar, cell.width == 2 { append(" ", marks: .init(), ink) }
    }

    private mutating func append(_ scalar: Unicode.Scalar, marks: Cell.Marks, _ ink: Ink) {
        var result = cchar_t()
        var pair = ink.pair
        let characters = (
            wchar_t(bitPattern: scalar.value), wchar_t(bitPattern: marks.first.value),
            wchar_t(bitPattern: marks.second.value), wchar_t(0)
        )
        withUnsafeBytes(of: characters) { bytes in
            let text = bytes.bindMemory(to: wchar_t.self).baseAddress
            // The C library refuses a cell with a mark that it counts as a column.
            if setcchar(&result, text, ink.attributes, 0, &pair) != OK {
                let bare = [wchar_t(bitPattern: scalar.value), 0]
                setcchar(&result, bare, ink.attributes, 0, &pair)
            }
        }
        row.append(result)
    }

    /// The number that ncurses gives to the pair of colours of a style.
    ///
    /// There are more numbers than a theme and the tints of tasks can use: with 8 colours they use
    /// at most 62 of 63.
    private func pair(of style: CellStyle) -> Int32 {
        let (text, ground) = (style.foreground, style.background)
        guard colors > 0, text != .standard || ground != .standard else { return 0 }
        return max(alloc_pair(Self.number(of: text), Self.number(of: ground)), 0)
    }

    private static func number(of color: CellColor) -> Int32 { color.index.map { Int32($0) } ?? -1 }
}

/// Links of the terminal (OSC 8), which ncurses knows nothing of.
///
/// ncurses writes a row that has or had links as a whole, so that no link stays behind on an
/// unchanged character. The links are then written over the row.
extension Curses {
    /// The rows in which something changes that is or was a link.
    private func linkedRows(_ grid: CellGrid, over former: CellGrid?) -> [Int] {
        guard takesLinks, !grid.links.isEmpty || former?.links.isEmpty == false else { return [] }
        return (0..<grid.rows).filter { row in
            let (links, before) = (grid.linkedCells(row: row), former?.linkedCells(row: row) ?? [])
            guard links == before else { return true }
            let changed = grid.changedColumns(row: row, since: former) ?? 0..<0
            return links.contains { $0.columns.overlaps(changed) }
        }
    }

    /// The bytes that write the links of a row, and leave cursor and colours as ncurses assumes
    /// them.
    private func links(_ grid: CellGrid, row: Int) -> [UInt8] {
        grid.linkedCells(row: row).flatMap { link in
            let cells = grid.cells(row: row)
            let shown = cells.dropFirst(link.columns.lowerBound).prefix(link.columns.count)
            let style = shown.first?.style ?? .plain
            let text = shown.reduce(into: "") { $0.unicodeScalars.append($1.scalar) }
            let position = Self.bytes(
                curses_position(Int32(clamping: row), Int32(clamping: link.columns.lowerBound))
            )
            return TerminalSequences.link(to: link.target, text, style, at: position)
        }
    }
}
