import Testing

@testable import ProgressBusCommand

@Suite("When output is left to gather")
struct ReadCoalescerTests {
    private func rests(_ pace: inout ReadCoalescer, after count: Int) -> Bool {
        pace.rests(after: count)
    }

    @Test("the first pieces of a tick are passed on at once, and large ones always")
    func prompt() {
        var pace = ReadCoalescer(room: 65_536)
        for _ in 0..<8 { #expect(!rests(&pace, after: 50)) }
        #expect(rests(&pace, after: 50))
        #expect(!rests(&pace, after: 100_000))
        pace.tick()
        #expect(!rests(&pace, after: 50))
    }

    @Test("many small pieces: as long as they gather there is a rest after each read")
    func gathering() {
        var pace = ReadCoalescer(room: 65_536)
        for _ in 0..<9 { _ = rests(&pace, after: 50) }
        for _ in 0..<10 { #expect(rests(&pace, after: 1_000)) }
    }

    @Test("a large piece in between is no reason to rest no more")
    func mixed() {
        var pace = ReadCoalescer(room: 65_536)
        for _ in 0..<9 { _ = rests(&pace, after: 5_000) }
        #expect(!rests(&pace, after: 65_536))
        #expect(rests(&pace, after: 5_000))
        #expect(rests(&pace, after: 11_000))
    }

    @Test("somebody who waits for each piece is made to wait once a second, no more")
    func dialogue() {
        var pace = ReadCoalescer(room: 65_536)
        var count = 0
        for _ in 0..<20 {
            for _ in 0..<500 where rests(&pace, after: 50) { count += 1 }
            pace.tick()
        }
        #expect(count == 1)
    }

    @Test("nothing traps, whatever the sizes are")
    func extremes() {
        var pace = ReadCoalescer(room: 65_536)
        for count in [0, 1, 16_383, 0, 16_384, .max] {
            for _ in 0..<100 { _ = rests(&pace, after: count) }
        }
    }
}
