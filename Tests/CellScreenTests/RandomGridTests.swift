import CellScreen
import TestSupport
import Testing

/// Random drawing; a failure names the seed, which alone repeats it.
@Suite struct RandomGridTests {
    @Test("any drawing: no cell is half, every text fits", arguments: 1...60)
    func drawing(seed: Int) throws {
        print("CellScreen drawing, seed \(seed)")
        var random = SplitMix64(seed: UInt64(seed))
        // The first seeds have grids of 0 to 10 columns.
        var grid = CellGrid(
            columns: seed <= 22 ? (seed - 1) / 2 : Int.random(in: 0...40, using: &random),
            rows: Int.random(in: 0...4, using: &random),
            isMirrored: seed.isMultiple(of: 2)
        )
        for step in 0..<300 {
            let former = grid
            draw(on: &grid, &random, "seed \(seed) step \(step)")
            try check(grid, "seed \(seed) step \(step)")
            let changed = Set(grid.changedRows(since: former))
            for row in 0..<grid.rows {
                let differs = grid.cells(row: row) != former.cells(row: row)
                try #require(changed.contains(row) == differs, "seed \(seed) step \(step)")
            }
        }
    }

    @Test("any text at any width: clipped fits, and put draws the same", arguments: 1...40)
    func clipping(seed: Int) throws {
        print("CellScreen clipping, seed \(seed)")
        var random = SplitMix64(seed: UInt64(seed) << 32)
        for _ in 0..<200 {
            let text = randomText(&random)
            let whole = DisplayText.clipped(text, to: .max)
            for width in 0...10 {
                let clipped = DisplayText.clipped(text, to: width)
                try #require(DisplayText.width(of: clipped) <= width, "seed \(seed) \(text)")
                if DisplayText.width(of: text) <= width {
                    try #require(clipped == whole, "seed \(seed) \(text)")
                } else if width > 0 {
                    try #require(clipped.hasSuffix("…"), "seed \(seed) \(text)")
                }
                var grid = CellGrid(columns: 12, rows: 1)
                let used = grid.put(text, column: 1, row: 0, width: width)
                try #require(used == DisplayText.width(of: clipped), "seed \(seed) \(text)")
                let shown = CellGrid.drawn(" " + clipped)
                try #require(grid.line(0) == shown.line(0), "seed \(seed) \(text)")
            }
        }
    }

    private func draw(on grid: inout CellGrid, _ random: inout SplitMix64, _ place: String) {
        let column = number(&random, below: grid.columns)
        let row = number(&random, below: grid.rows)
        let width = number(&random, below: grid.columns + 2)
        let style = CellStyle(foreground: .indexed(UInt8.random(in: 0...3, using: &random)))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: grid.put(randomScalar(&random), column: column, row: row, style: style)
        case 1:
            let height = number(&random, below: 4)
            grid.fill(column: column, row: row, width: width, height: height, style: style)
        case 2:
            grid.restyle(column: column, row: row, width: width) { $0.background = .indexed(7) }
        default:
            let alignments: [Alignment] = [.leading, .trailing]
            let used = grid.put(
                randomText(&random),
                column: column,
                row: row,
                width: width,
                style: style,
                alignment: alignments[Int.random(in: 0..<2, using: &random)],
                ellipsis: ["…", "...", "", "日日", "\u{301}"][Int.random(in: 0..<5, using: &random)]
            )
            #expect(used >= 0 && used <= max(0, width), "\(place)")
        }
    }

    private func check(_ grid: CellGrid, _ place: String) throws {
        for row in 0..<grid.rows {
            let cells = Array(grid.cells(row: row))
            try #require(cells.reduce(0) { $0 + Int($1.width) } == grid.columns, "\(place)")
            for (column, cell) in cells.enumerated() {
                let next = column + 1 < cells.count ? cells[column + 1] : nil
                try #require((cell.width == 2) == (next?.width == 0), "\(place)")
                if cell.width == 2 { try #require(next?.style == cell.style, "\(place)") }
                let width = cell.width == 0 ? 1 : Int(cell.width)
                try #require(DisplayText.width(of: cell.scalar) == width, "\(place)")
                if cell.marks.count > 0 {
                    try #require(DisplayText.width(of: cell.marks.first) == 0, "\(place)")
                    try #require(cell.width > 0, "\(place)")
                }
            }
        }
    }

    /// Mostly near the grid, at times as far away as a number can be.
    private func number(_ random: inout SplitMix64, below limit: Int) -> Int {
        if random.oneIn(12) {
            return [Int.min, Int.min + 1, -1_000_000, 1_000_000, Int.max - 1, Int.max][
                Int.random(in: 0..<6, using: &random)
            ]
        }
        return Int.random(in: -3...max(limit, 0) + 3, using: &random)
    }

    private func randomText(_ random: inout SplitMix64) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            text.unicodeScalars.append(randomScalar(&random))
        }
        return text
    }

    private func randomScalar(_ random: inout SplitMix64) -> Unicode.Scalar {
        let likely: [Unicode.Scalar] = [
            "a", "b", " ", "1", "日", "語", "🚀", "👩", "❤", "\u{200D}", "\u{FE0F}", "\u{20E3}",
            "\u{301}", "\u{302}", "\u{1F3FD}", "\u{1F1E9}", "\u{1100}", "\u{1161}", "\u{11A8}",
            "\u{202E}", "\u{1B}", "\n", "\u{5D0}", "\u{E0067}", "\u{3000}", "…", "\u{93E}",
        ]
        if random.oneIn(5) {
            let value = UInt32.random(in: 0...0x10FFFF, using: &random)
            return Unicode.Scalar(value) ?? "\u{FFFD}"
        }
        return likely[Int.random(in: 0..<likely.count, using: &random)]
    }
}

extension CellGrid {
    /// A text alone on a line that is wide enough for all of it.
    fileprivate static func drawn(_ text: String) -> CellGrid {
        var grid = CellGrid(columns: 100, rows: 1)
        grid.put(text, column: 0, row: 0, width: 100)
        return grid
    }
}
