import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite struct GlyphTests {
    private func all(_ glyphs: Glyphs) -> [Unicode.Scalar] {
        let conditions = TaskCondition.allCases
        let box = glyphs.box
        return conditions.flatMap { glyphs.marks[$0, default: [" "]] + [glyphs.mosaicCell(of: $0)] }
            + glyphs.circle + glyphs.ring + glyphs.parts + glyphs.cellBar
            + glyphs.cellPulse
            + glyphs.plotLevels + glyphs.ellipsis.unicodeScalars
            + [glyphs.block, glyphs.track, glyphs.pulse, glyphs.folded]
            + [glyphs.unfolded, box.horizontal, box.vertical, box.topLeading, box.topTrailing]
            + [box.bottomLeading, box.bottomTrailing, glyphs.cursor]
            + [glyphs.empty, glyphs.step, glyphs.spanBegin, glyphs.spanEnd]
    }

    @Test(
        "I-24: each takes one cell as it is, and none is an emoji",
        arguments: [Glyphs.unicode, .ascii]
    )
    func oneCell(glyphs: Glyphs) {
        for scalar in all(glyphs) + all(glyphs.mirrored) {
            var grid = CellGrid(columns: 1, rows: 1)
            grid.put(scalar, column: 0, row: 0)
            #expect(grid.cell(column: 0, row: 0)?.scalar == scalar)
            #expect(scalar.isASCII || !scalar.properties.isEmoji)
            #expect(scalar != " ")
        }
        #expect(!glyphs.parts.isEmpty)
        #expect(glyphs.plotLevels.count == 8)
        #expect(glyphs.ring.count == 5)
    }

    @Test("I-24: the fallback is all ASCII")
    func ascii() {
        let glyphs = all(.ascii) + all(Glyphs.ascii.mirrored)
        #expect(glyphs.allSatisfy { (0x21...0x7E).contains($0.value) })
    }

    @Test(
        "I-7: in the mosaic the glyph alone tells the conditions apart",
        arguments: [Glyphs.unicode, .ascii]
    )
    func mosaic(glyphs: Glyphs) {
        let cells = TaskCondition.allCases.map { glyphs.mosaicCell(of: $0) }
        #expect(Set(cells).count == cells.count)
    }

    @Test("I-15: in a mirrored grid the corners of a box change sides")
    func corners() {
        let box = Glyphs.unicode.mirrored.box
        #expect([box.topLeading, box.topTrailing] == ["┐", "┌"])
        #expect([box.bottomLeading, box.bottomTrailing] == ["┘", "└"])
    }
}
