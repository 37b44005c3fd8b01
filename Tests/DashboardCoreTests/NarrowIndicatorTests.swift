import CellScreen
import ProgressBus
import TaskTree
import TestSupport
import Testing

@testable import DashboardCore

/// Indicators where space is short.
@Suite struct NarrowIndicatorTests {
    @Test("I-21: too narrow for a bar: percent or counts, never a circle")
    func narrowBar() {
        #expect(Canvas(6).indicator(.shown(.running, 0.5)).line(0) == "━━━───")
        #expect(Canvas(5).indicator(.shown(.running, 0.426)).line(0) == "  42%")
        #expect(Canvas(3).indicator(.shown(.running, 0.426)).line(0) == "42%")
        #expect(Canvas(2).indicator(.shown(.running, 0.426)).line(0) == "42")
        #expect(Canvas(1).indicator(.shown(.running, 0.426)).line(0) == "…")
        #expect(Canvas(5).indicator(.shown(.running, 0.999)).line(0) == "  99%")
        #expect(Canvas(5).indicator(.shown(.running, 1)).line(0) == "   1k", "all done, not ended")
        #expect(Canvas(5).indicator(.shown(.succeeded, 1)).line(0) == " 100%")
        #expect(Canvas(5).indicator(.shown()).line(0) == "    …")
        #expect(Canvas(5, glyphs: .ascii).indicator(.shown()).line(0) == "    ~")
        var counting = TaskSnapshot.shown()
        counting.completed = 12_345
        #expect(Canvas(5).indicator(counting).line(0) == "  12k")
        var parent = TaskSnapshot.shown()
        parent.isIndeterminate = false
        parent.counts.running = 5
        parent.counts.succeeded = 2
        parent.counts.lost = 1
        #expect(Canvas(5).indicator(parent).line(0) == "  3/8")
        #expect(Canvas(2).indicator(parent).line(0) == " 3")
        parent.counts.succeeded = 1_234_567
        #expect(Canvas(5).indicator(parent).line(0) == " 1.2M")
        let mirrored = Canvas(5, isMirrored: true)
        #expect(mirrored.indicator(.shown(.running, 0.42)).line(0) == "42%")
    }

    @Test("I-21: one cell for work on the side shows its progress, or its condition once it rests")
    func activityCell() {
        let canvas = Canvas(4)
        #expect(canvas.activityCell(.shown(.running, 0.3, style: .spinner)).line(0) == "◔")
        #expect(canvas.activityCell(.shown(.running, style: .spinner), phase: 1).line(0) == "◝")
        // Who asked for a bar has one here too.
        let bars = [0, 0.2, 0.5, 0.99].map {
            canvas.activityCell(.shown(.running, $0), phase: 1).line(0)
        }
        #expect(bars == ["▁", "▁", "▄", "▇"])
        #expect(canvas.activityCell(.shown(), phase: 1).line(0) == "⠄")
        for glyphs in [Glyphs.unicode, .ascii] {
            let canvas = Canvas(1, theme: .monochrome, glyphs: glyphs)
            var running: Set<String> = []
            for phase in 0..<30 {
                for fraction in stride(from: 0, through: 1, by: 0.05) {
                    for style in [TaskStyle.bar, .spinner] {
                        let known = TaskSnapshot.shown(.running, fraction, style: style)
                        running.insert(canvas.activityCell(known, phase: phase).line(0))
                    }
                }
                for style in [TaskStyle.bar, .spinner] {
                    let unknown = TaskSnapshot.shown(style: style)
                    running.insert(canvas.activityCell(unknown, phase: phase).line(0))
                }
            }
            var seen = running
            for condition in TaskCondition.allCases where condition != .running {
                let cell = canvas.activityCell(.shown(condition, 0.4))
                #expect(seen.insert(cell.line(0)).inserted)
            }
        }
    }

    @Test("I-22: work on the side takes one cell and says nothing beside it")
    func unlabelled() {
        let canvas = Canvas(20)
        for condition in TaskCondition.allCases {
            for var row in TaskSnapshot.looks(condition) {
                row.title = "index the archive"
                row.detail = "some file"
                let grid = canvas.activityCell(row, phase: 1)
                #expect(grid.changes(from: canvas.grid) == 1)
                #expect(grid.line(0).unicodeScalars.count == 1)
            }
        }
    }

    @Test("any field, phase and amount: nothing is drawn outside the field and nothing traps")
    func hostileNumbers() {
        var random = SplitMix64(seed: 21)
        let extremes = [Int.min, Int.min + 1, -1_001, -1, 0, 1, 5, 7, 1_000, Int.max - 1, Int.max]
        func number() -> Int {
            random.oneIn(2)
                ? extremes.randomElement(using: &random) ?? 0 : .random(in: -3...14, using: &random)
        }
        for _ in 0..<20_000 {
            let isMirrored = random.oneIn(2)
            let canvas = Canvas(.random(in: 0...12, using: &random), isMirrored: isMirrored)
            var row =
                TaskSnapshot.looks(TaskCondition.allCases.randomElement(using: &random) ?? .running)
                .randomElement(using: &random) ?? .shown()
            row.fraction = [0, 0.5, 1, 1.5, .nan].randomElement(using: &random) ?? 0
            row.displayFraction =
                [0, 0.5, 1, -Double.infinity, .infinity, .nan, 1e300].randomElement(using: &random)
                ?? 0
            row.completed = [0, 5, .max, .min].randomElement(using: &random) ?? 0
            let (column, width) = (number(), number())
            let (field, phase) = (Field(start: column, width: width), number())
            let line = random.oneIn(5) ? number() : 0
            let grid = canvas.drawn(phase: phase) { $0.putIndicator(of: row, field, row: line) }
            for cell in 0..<grid.columns {
                let place = isMirrored ? grid.columns - 1 - cell : cell
                let end = column.addingReportingOverflow(width)
                let isInside = cell >= column && (end.overflow || cell < end.partialValue)
                if !isInside || width <= 0 {
                    #expect(grid.cell(column: place, row: 0) == .blank())
                }
            }
            _ = canvas.drawn(phase: phase) { $0.putMark(of: row, column: column, row: width) }
            _ = canvas.drawn(phase: number()) {
                $0.putActivityCell(of: row, column: column, row: width)
            }
        }
    }
}
