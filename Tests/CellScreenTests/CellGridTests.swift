import CellScreen
import Testing

@Suite struct CellGridTests {
    private let red = CellStyle(foreground: .indexed(1), attributes: .bold)

    /// One row of ten columns, full of dots.
    private func dots(isMirrored: Bool = false) -> CellGrid {
        var grid = CellGrid(columns: 10, rows: 1, isMirrored: isMirrored)
        grid.put("..........", column: 0, row: 0, width: 10)
        return grid
    }

    @Test("a new grid: blank, and of a size within bounds")
    func sizes() {
        let grid = CellGrid(columns: 3, rows: 2)
        #expect(grid.cell(column: 2, row: 1) == .blank())
        #expect(grid.text == "\n")
        #expect(CellGrid(columns: -1, rows: .min).cell(column: 0, row: 0) == nil)
        let large = CellGrid(columns: .max, rows: .max)
        #expect(large.columns == CellGrid.limit)
        #expect(large.rows == CellGrid.limit)
    }

    @Test("reading outside: nothing comes back")
    func outside() {
        let grid = dots()
        let far = [Int.min, -1, 10, Int.max]
        for place in far {
            #expect(grid.cell(column: place, row: 0) == nil)
            #expect(grid.cell(column: 0, row: place) == nil)
            #expect(grid.cells(row: place).isEmpty)
            #expect(grid.line(place) == "")
        }
        #expect(grid.cells(row: 0).count == 10)
    }

    @Test("a text shorter than its field: aligned, the rest blank in its style")
    func alignment() {
        var grid = dots()
        #expect(grid.put("abc", column: 1, row: 0, width: 6, style: red) == 3)
        #expect(grid.line(0) == ".abc   ...")
        #expect(grid.cell(column: 6, row: 0) == .blank(red))
        #expect(grid.cell(column: 7, row: 0)?.style == .plain)
        #expect(grid.put("abc", column: 1, row: 0, width: 6, alignment: .trailing) == 3)
        #expect(grid.line(0) == ".   abc...")
        #expect(grid.put("abcde", column: 1, row: 0, width: 6, alignment: .trailing) == 5)
        #expect(grid.line(0) == ". abcde...")
        #expect(grid.put("日e\u{301}", column: 1, row: 0, width: 6, alignment: .trailing) == 3)
        #expect(grid.line(0) == ".   日e\u{301}...")
        #expect(grid.put("", column: 1, row: 0, width: 6, alignment: .trailing) == 0)
        #expect(grid.line(0) == ".      ...")
    }

    @Test("a text longer than its field: clipped, ends with the ellipsis")
    func clipping() {
        var grid = dots()
        #expect(grid.put("compile", column: 2, row: 0, width: 4) == 4)
        #expect(grid.line(0) == "..com…....")
        #expect(grid.put("compile", column: 2, row: 0, width: 4, ellipsis: "...") == 4)
        #expect(grid.line(0) == "..c.......")
        #expect(grid.put("compile", column: 2, row: 0, width: 4, ellipsis: "") == 4)
        #expect(grid.line(0) == "..comp....")
        #expect(grid.put("compile", column: 8, row: 0, width: 4) == 2)
        #expect(grid.line(0) == "..comp..c…")
        #expect(grid.put("compile", column: -2, row: 0, width: 5) == 3)
        #expect(grid.line(0) == "co…omp..c…")
    }

    @Test("wide characters: never cut, by their field or by a neighbour")
    func wide() {
        var grid = dots()
        #expect(grid.put("日本", column: 1, row: 0, width: 3, ellipsis: "") == 2)
        #expect(grid.line(0) == ".日 ......")
        #expect(grid.put("日本", column: 1, row: 0, width: 3) == 3)
        #expect(grid.line(0) == ".日…......")
        #expect(grid.put("日本", column: 1, row: 0, width: 2) == 1)
        #expect(grid.line(0) == ".… …......")
        #expect(grid.put("日本", column: 1, row: 0, width: 4) == 4)
        #expect(grid.cell(column: 2, row: 0)?.width == 0)
        grid.put("x", column: 2, row: 0)
        #expect(grid.line(0) == ". x本.....")
        grid.put("y", column: 3, row: 0)
        #expect(grid.line(0) == ". xy .....")
        grid.put("日本語", column: 2, row: 0, width: 6)
        grid.put("ab", column: 3, row: 0, width: 4)
        #expect(grid.line(0) == ".  ab   ..")
        grid.put("日", column: 8, row: 0, width: 9)
        #expect(grid.line(0) == ".  ab   日")
        #expect(grid.put("日", column: 9, row: 0, width: 9) == 1)
        #expect(grid.line(0) == ".  ab    …")
    }

    @Test("one character: narrow as it is, else a sign that takes one cell")
    func single() {
        var grid = dots()
        let scalars: [Unicode.Scalar] = ["x", "日", "\u{1B}", "\u{301}", "\u{202E}", "\u{1F1E9}"]
        for (column, scalar) in scalars.enumerated() {
            grid.put(scalar, column: column, row: 0)
        }
        #expect(grid.line(0) == "x\u{FFFD}   D....")
    }

    @Test("filling and restyling: what is named changes, wide characters as a whole")
    func filling() {
        var grid = CellGrid(columns: 6, rows: 3)
        for row in 0..<3 { grid.put("日本語", column: 0, row: row, width: 6) }
        grid.fill(column: 1, row: 1, width: 2, height: 9, style: red)
        #expect(grid.text == "日本語\n    語\n    語")
        #expect(grid.cell(column: 0, row: 1)?.style == .plain)
        #expect(grid.cell(column: 1, row: 2)?.style == red)
        grid.restyle(column: 1, row: 0, width: 2) { $0.attributes.insert(.reverse) }
        let styles = grid.cells(row: 0).map { $0.style.attributes == .reverse }
        #expect(styles == [false, false, true, true, false, false])
    }

    @Test("a mirrored grid: columns count from the right, text keeps its order")
    func mirrored() {
        var grid = dots(isMirrored: true)
        #expect(grid.put("abc", column: 0, row: 0, width: 5) == 3)
        #expect(grid.line(0) == ".....  abc")
        grid.put("abc", column: 1, row: 0, width: 5, alignment: .trailing)
        #expect(grid.line(0) == "....abc  c")
        grid.put("compile", column: 6, row: 0, width: 9)
        #expect(grid.line(0) == "com…abc  c")
        grid.put("x", column: 0, row: 0)
        grid.put("日", column: 8, row: 0, width: 2)
        #expect(grid.line(0) == "日m…abc  x")
        grid.fill(column: 1, row: 0, width: 3, height: 1, style: red)
        #expect(grid.cell(column: 6, row: 0) == .blank(red))
        // The second half of the wide character, then its first.
        grid.restyle(column: 8, row: 0, width: 1) { $0 = red }
        #expect(grid.cell(column: 1, row: 0)?.style == .plain)
        grid.restyle(column: 9, row: 0, width: 1) { $0 = red }
        #expect(grid.cell(column: 1, row: 0)?.style == red)
    }

    @Test("changed rows: those that differ, all if the size does")
    func changes() {
        var grid = CellGrid(columns: 4, rows: 4)
        let former = grid
        #expect(grid.changedRows(since: former) == [])
        grid.put("a", column: 0, row: 1)
        grid.restyle(column: 3, row: 3, width: 1) { $0.background = .indexed(0) }
        #expect(grid.changedRows(since: former) == [1, 3])
        #expect(grid.changedRows(since: CellGrid(columns: 5, rows: 4)) == [0, 1, 2, 3])
        #expect(grid.changedRows(since: CellGrid(columns: 4, rows: 2)) == [0, 1, 2, 3])
    }

    @Test("links: what is shown of an address leads to it, and what is drawn over it does not")
    func links() {
        var grid = CellGrid(columns: 40, rows: 3)
        let (short, long) = ("https://a.b/1", "https://a.b/12")
        grid.put("see \(long), \(short).", column: 0, row: 0, width: 40)
        grid.put("at \(long)", column: 0, row: 1, width: 16)
        grid.put("https://a.b", column: 0, row: 2, width: 40)
        for row in 0..<3 {
            grid.link([short, long], column: 0, row: row, width: row == 1 ? 16 : 40)
        }
        #expect(grid.linkedCells(row: 0).map(\.columns) == [4..<18, 20..<33])
        #expect(grid.linkedCells(row: 0).map(\.target) == [long, short])
        #expect(grid.linkedCells(row: 1).map(\.columns) == [3..<15])
        #expect(grid.linkedCells(row: 1).map(\.target) == [long])
        #expect(grid.linkedCells(row: 2).isEmpty, "too short for the beginning of one")
        #expect(grid.cell(column: 4, row: 0)?.style.attributes == .underline)
        let former = grid
        grid.fill(column: 0, row: 0, width: 10, height: 1)
        #expect(grid.linkedCells(row: 0).map(\.columns) == [10..<18, 20..<33])
        #expect(grid.changedRows(since: former) == [0])
        var mirrored = CellGrid(columns: 20, rows: 1, isMirrored: true)
        mirrored.put(short, column: 0, row: 0, width: 20)
        mirrored.link([short], column: 0, row: 0, width: 20)
        #expect(mirrored.linkedCells(row: 0).map(\.columns) == [7..<20])
    }

    @Test("colours: every place of the palette is another one, none is the standard")
    func colours() {
        let all = (0...255).map { CellColor.indexed(UInt8($0)) }
        #expect(Set(all + [.standard]).count == 257)
        #expect(all.map(\.index) == (0...255).map { UInt8($0) })
        #expect(CellColor.standard.index == nil)
    }
}

extension CellGrid {
    /// The rows that look other than in a former grid.
    func changedRows(since former: CellGrid) -> [Int] {
        (0..<rows).filter { changedColumns(row: $0, since: former) != nil }
    }
}
