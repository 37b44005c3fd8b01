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
}
