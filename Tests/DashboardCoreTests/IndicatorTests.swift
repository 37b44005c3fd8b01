import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// Bars, circles and marks of rows.
@Suite struct IndicatorTests {
    private let phases = 0..<60
    private let glyphSets = [Glyphs.unicode, .ascii]

    @Test("I-1: bar and circle, known and unknown progress: four looks")
    func fourLooks() {
        for glyphs in glyphSets {
            let canvas = Canvas(glyphs: glyphs)
            let looks = TaskSnapshot.looks(.running)[..<4].map { canvas.indicator($0).line(0) }
            #expect(Set(looks).count == 4)
        }
        let looks = TaskSnapshot.looks(.running)[..<4].map { Canvas().indicator($0).line(0) }
        #expect(looks == ["┅┅────────", "━━━━──────", "◜", "◔"])
    }

    @Test("I-7: what goes on moves", arguments: TaskCondition.allCases.filter(\.isMoving))
    func moves(condition: TaskCondition) {
        for glyphs in glyphSets {
            let canvas = Canvas(glyphs: glyphs)
            for row in TaskSnapshot.looks(condition) {
                #expect(phases.contains { canvas.mark(row, phase: $0) != canvas.mark(row) })
                #expect(
                    phases.contains {
                        canvas.activityCell(row, phase: $0) != canvas.activityCell(row)
                    }
                )
                guard !row.isDeterminate else { continue }
                for phase in phases {
                    #expect(
                        canvas.indicator(row, phase: phase)
                            != canvas.indicator(row, phase: phase + 1)
                    )
                }
            }
        }
    }

    @Test(
        "I-7: what does not stands still",
        arguments: TaskCondition.allCases.filter { !$0.isMoving }
    )
    func still(condition: TaskCondition) {
        for glyphs in glyphSets {
            let canvas = Canvas(glyphs: glyphs)
            for row in TaskSnapshot.looks(condition) {
                for phase in phases {
                    #expect(canvas.mark(row, phase: phase) == canvas.mark(row))
                    #expect(canvas.indicator(row, phase: phase) == canvas.indicator(row))
                    #expect(canvas.activityCell(row, phase: phase) == canvas.activityCell(row))
                }
            }
        }
    }

    @Test("I-7: the mark alone tells the conditions apart, without colour and at any moment")
    func marks() {
        for glyphs in glyphSets {
            let canvas = Canvas(1, theme: .monochrome, glyphs: glyphs)
            var seen: [String: TaskCondition] = [:]
            for condition in TaskCondition.allCases {
                for phase in phases {
                    let mark = canvas.mark(.shown(condition), phase: phase).line(0)
                    #expect(!mark.isEmpty)
                    #expect(seen[mark] == nil || seen[mark] == condition)
                    seen[mark] = condition
                }
            }
        }
    }

    @Test("I-8: a total that becomes known turns the pulse into a fill in the same cells")
    func becomesKnown() {
        let canvas = Canvas()
        let before = canvas.indicator(.shown(), phase: 3)
        let after = canvas.indicator(.shown(.running, 0.25), phase: 3)
        #expect(before.line(0) == "───┅┅─────")
        #expect(after.line(0) == "━━╾───────")
    }

    @Test("I-9: a circle whose total becomes known is a ring, and no width makes one of the other")
    func neverSwitches() {
        for width in 0...30 {
            let canvas = Canvas(max(width, 1))
            for condition in TaskCondition.allCases {
                for row in TaskSnapshot.looks(condition) {
                    for phase in 0..<12 {
                        let grid = canvas.indicator(row, phase: phase, width: width)
                        let shown = Set(grid.line(0).unicodeScalars)
                        let circles: Set<Unicode.Scalar> = [
                            "○", "◔", "◑", "◕", "●", "◜", "◝", "◞", "◟",
                        ]
                        if row.options.style == .bar {
                            #expect(shown.isDisjoint(with: circles))
                        } else {
                            #expect(shown.isSubset(of: circles))
                        }
                    }
                }
            }
        }
    }

    @Test("I-15: a bar fills from the side where reading begins, in a mirrored grid from the right")
    func fillsFromLeading() {
        let row = TaskSnapshot.shown(.running, 0.3)
        let right = Canvas(isMirrored: true)
        #expect(right.indicator(.shown(.running, 0.25)).line(0) == "───────╼━━")
        #expect(right.indicator(row).line(0) == "───────━━━")
        #expect(right.indicator(.shown()).line(0) == "────────┅┅")
        #expect(Canvas().indicator(row).line(0) == "━━━───────")
        let plain = Canvas(glyphs: .ascii, isMirrored: true)
        let grid = plain.indicator(.shown(.running, 0.28))
        #expect(grid.line(0) == ".......+##")
        #expect(grid.cells(row: 0).allSatisfy { !$0.style.attributes.contains(.reverse) })
    }

    @Test("I-17: without a track only what is filled is drawn")
    func withoutTrack() {
        let canvas = Canvas()
        #expect(canvas.indicator(.shown(.running, 0.25), hasTrack: false).line(0) == "━━╾")
        #expect(canvas.indicator(.shown(.running, 0), hasTrack: false) == canvas.grid)
        #expect(canvas.indicator(.shown(), phase: 2, hasTrack: false).line(0) == "  ┅┅")
        func underlined(_ painter: inout Painter) {
            let style = CellStyle(attributes: .underline)
            painter.grid.fill(column: 0, row: 0, width: 10, height: 1, style: style)
        }
        let before = canvas.drawn(underlined)
        let grid = canvas.drawn { painter in
            underlined(&painter)
            let field = Field(width: 10)
            painter.putIndicator(of: .shown(.running, 0.5), hasTrack: false, field, row: 0)
        }
        #expect(Array(grid.cells(row: 0))[5...] == Array(before.cells(row: 0))[5...])
    }

    @Test("I-19: a step more changes one cell")
    func steps() {
        for isMirrored in [false, true] {
            let canvas = Canvas(40, isMirrored: isMirrored)
            var before = canvas.indicator(.shown(.running, 0))
            var isSeen: Set<String> = [before.line(0)]
            for step in 1..<80 {
                let now = canvas.indicator(.shown(.running, Double(step) / 80))
                #expect(now.changes(from: before) == 1)
                isSeen.insert(now.line(0))
                before = now
            }
            #expect(isSeen.count == 80)
        }
    }

    @Test("I-19: full only after success, and not empty once something is done")
    func ends() {
        for glyphs in glyphSets {
            for width in [6, 7, 20, 133] {
                let canvas = Canvas(width, glyphs: glyphs)
                let full = String(repeating: Character(glyphs.block), count: width)
                let empty = String(repeating: Character(glyphs.track), count: width)
                let ends = TaskCondition.allCases.filter { $0 != .succeeded }
                for condition in ends {
                    for fraction in [0.99, 1, 7, Double.infinity, 0.000_1, .leastNonzeroMagnitude] {
                        var row = TaskSnapshot.shown(condition, 0)
                        row.displayFraction = fraction
                        let line = canvas.indicator(row).line(0)
                        #expect(line != full && line != empty && !line.isEmpty)
                    }
                    for fraction in [0, -1, .nan, -Double.infinity] {
                        var row = TaskSnapshot.shown(condition, 0)
                        row.displayFraction = fraction
                        #expect(canvas.indicator(row).line(0) == empty)
                    }
                }
                #expect(canvas.indicator(.shown(.succeeded, 1)).line(0) == full)
                #expect(canvas.indicator(.shown(.succeeded)).line(0) == full)
            }
        }
    }

    @Test("I-19: the pulse goes to and fro in the cells of the bar, two of them changing")
    func pulse() {
        let canvas = Canvas(10)
        var starts: Set<Int> = []
        for phase in phases {
            let line = canvas.indicator(.shown(), phase: phase).line(0)
            #expect(line.filter { $0 == "┅" }.count == 2 && line.count == 10)
            starts.insert(line.prefix { $0 == "─" }.count)
            let next = canvas.indicator(.shown(), phase: phase + 1)
            #expect(next.changes(from: canvas.indicator(.shown(), phase: phase)) == 2)
        }
        #expect(starts == Set(0...8))
        let stopped = TaskCondition.allCases.filter { !$0.isMoving && $0 != .succeeded }
        for condition in stopped {
            let line = canvas.indicator(.shown(condition), phase: 5).line(0)
            let isInHand = [.stalled, .silent, .paused].contains(condition)
            #expect(line == (isInHand ? "┅┅────────" : "──────────"))
        }
    }

    @Test("I-20: the ring fills clockwise and is full only after success; the circle rotates")
    func circles() {
        let canvas = Canvas(8)
        let fractions = [0, 0.001, 0.25, 0.49, 0.5, 0.74, 0.75, 0.99, 1]
        let rings = fractions.map {
            canvas.indicator(.shown(.running, $0, style: .spinner)).line(0)
        }
        #expect(rings == ["○", "◔", "◔", "◔", "◑", "◑", "◕", "◕", "◕"])
        #expect(canvas.indicator(.shown(.succeeded, 1, style: .spinner)).line(0) == "●")
        #expect(canvas.indicator(.shown(.succeeded, style: .spinner)).line(0) == "●")
        #expect(canvas.indicator(.shown(.waiting, style: .spinner)).line(0) == "○")
        let turns = (0..<5).map { canvas.indicator(.shown(style: .spinner), phase: $0).line(0) }
        #expect(turns == ["◜", "◝", "◞", "◟", "◜"])
        let mirrored = Canvas(8, isMirrored: true)
        #expect(mirrored.indicator(.shown(.running, 0.3, style: .spinner)).line(0) == "       ◔")
    }
}
