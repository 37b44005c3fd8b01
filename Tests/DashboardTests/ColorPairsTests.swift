import CellScreen
import Testing

@testable import Dashboard

@Suite("Pairs of colours")
struct ColorPairsTests {
    private func pair(_ foreground: UInt8, _ background: UInt8) -> ColorPairs.Pair {
        .init(foreground: .indexed(foreground), background: .indexed(background))
    }

    @Test("the two standard colours: number 0, which takes none")
    func standard() {
        var pairs = ColorPairs(limit: 0)
        #expect(pairs.number(of: .init(foreground: .standard, background: .standard)) == .known(0))
    }

    @Test("a pair that comes again: the same number")
    func again() {
        var pairs = ColorPairs(limit: 10)
        #expect(pairs.number(of: pair(1, 2)) == .new(1))
        #expect(pairs.number(of: pair(2, 1)) == .new(2))
        #expect(pairs.number(of: pair(1, 2)) == .known(1))
    }

    @Test("more pairs than numbers: no number above the limit, and all anew after forgetting")
    func bounded() {
        var pairs = ColorPairs(limit: 100)
        for index in 0..<200 {
            let answer = pairs.number(of: pair(UInt8(index), 0))
            #expect(answer == (index < 100 ? .new(index + 1) : .full))
        }
        #expect(pairs.count == 100)
        pairs.forgetAll()
        #expect(pairs.number(of: pair(150, 0)) == .new(1))
    }

    @Test("fewer colours: an index the terminal has")
    func reduction() {
        for index in UInt8.min...UInt8.max {
            #expect(ColorReduction.index(index, available: 256) == Int(index))
            #expect((0..<16).contains(ColorReduction.index(index, available: 16)))
            #expect((0..<8).contains(ColorReduction.index(index, available: 8)))
            #expect(ColorReduction.index(index, available: 2) < 2)
        }
    }

    @Test(
        "fewer colours: one that looks alike",
        arguments: [
            (196, 9), (46, 10), (21, 12), (226, 11), (231, 15), (16, 0), (238, 8), (124, 1),
        ]
    )
    func resemblance(index: UInt8, basic: Int) {
        #expect(ColorReduction.index(index, available: 16) == basic)
    }
}
