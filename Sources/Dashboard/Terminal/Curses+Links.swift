import CNcurses
import CellScreen

/// Links of the terminal (OSC 8), which ncurses knows nothing of.
///
/// It writes a row that has or had links as a whole, so that no link stays behind on a character that
/// it would leave alone; then the links are written over what it has written.
extension Curses {
    /// The rows in which something changes that is or was a link.
    func linkedRows(_ grid: CellGrid, over former: CellGrid?) -> [Int] {
        guard takesLinks, !grid.links.isEmpty || former?.links.isEmpty == false else { return [] }
        return (0..<grid.rows).filter { row in
            let (links, before) = (grid.linkedCells(row: row), former?.linkedCells(row: row) ?? [])
            guard links == before else { return true }
            let changed = grid.changedColumns(row: row, since: former) ?? 0..<0
            return links.contains { $0.columns.overlaps(changed) }
        }
    }

    /// What writes the links of a row, and leaves cursor and colours as ncurses believes they are.
    func links(_ grid: CellGrid, row: Int) -> [UInt8] {
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
