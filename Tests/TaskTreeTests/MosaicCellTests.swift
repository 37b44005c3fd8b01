import TaskTree
import Testing

@Suite("Cells of the mosaic")
struct MosaicCellTests {
    @Test("a byte is read as it was written: the state, how far what runs is, what is wrong")
    func roundTrip() {
        for state in TaskState.allCases {
            for fraction in [-1, 0, 0.124, 0.125, 0.5, 0.99, 1, 7, Double.nan] {
                for flags in 0..<8 {
                    let cell = MosaicCell(
                        state,
                        isStalled: flags & 1 != 0,
                        isSilent: flags & 2 != 0,
                        needsAttention: flags & 4 != 0,
                        fraction: fraction
                    )
                    #expect(MosaicCell(cell.byte) == cell)
                    #expect(cell.byte < 0x80)
                }
            }
        }
        #expect(MosaicCell(0) == nil)
    }

    @Test("eighths are of what runs, and never all of them")
    func eighths() {
        func eighths(_ state: TaskState, _ fraction: Double) -> Int {
            MosaicCell(
                state,
                isStalled: false,
                isSilent: false,
                needsAttention: false,
                fraction: fraction
            ).eighths
        }
        #expect(
            [0, 0.12, 0.125, 0.5, 0.87, 0.875, 1, 3].map { eighths(.running, $0) }
                == [0, 0, 1, 4, 6, 7, 7, 7]
        )
        #expect(eighths(.paused, 0.5) == 0)
    }
}
