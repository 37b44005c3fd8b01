@testable import OutputReading
import Testing

@Suite struct OutputReaderTests {
    @Test func ofAFloodTheBeginningAndTheEndAreRead() throws {
        var reader = try OutputReader(choice: .forced("ninja"))
        var text = ""
        for step in 1...5_000 { text += "[\(step)/5000] CXX some/file/in/a/folder\(step).o\n" }
        #expect(text.utf8.count > 65_536 * 2)
        let samples = reader.read(text)
        #expect(samples.first?.completed == 5_000)
        #expect(samples.first?.total == 5_000)
    }

    @Test func aLineThatWasCutByAFloodSaysNothing() throws {
        var reader = try OutputReader(choice: .forced("count"))
        // The last 16 KiB begin in the middle of a number.
        let head = "1/9000000 \n"
        let tail = String(repeating: "5", count: 16_384) + "/6\n"
        let samples = reader.read(head + String(repeating: " ", count: 60_000) + tail)
        #expect(samples == [.amount(1, of: 9_000_000)])
        #expect(reader.read("2/9000000 \n") == [.amount(2)])
    }

    @Test func theStreamsHaveTheirOwnLines() throws {
        var reader = try OutputReader(choice: .forced("count"))
        #expect(reader.read("[1/", from: .output).isEmpty)
        #expect(reader.read("[2/20] \n", from: .error) == [.amount(2, of: 20)])
        #expect(reader.read("20] \n", from: .output).isEmpty)
        #expect(reader.read("[3/20", from: .output).isEmpty)
        #expect(reader.finish() == [.amount(3)])
    }

    @Test func whatIsTakenIsToldAtTheTickAndTheNewestCounts() throws {
        var reader = try OutputReader(choice: .forced("count"))
        for text in ["[1/20]\n", "[2/20]\n", "[3/20]\n"] {
            Array(text.utf8).withUnsafeBytes { reader.take($0, from: .output) }
        }
        #expect(reader.tick(at: 1) == [.amount(3, of: 20)])
        #expect(reader.tick(at: 2).isEmpty)
        Array("[4/20]\n".utf8).withUnsafeBytes { reader.take($0, from: .output) }
        reader.stop()
        #expect(reader.tick(at: 3).isEmpty)
    }

    @Test func aNumberThatIsNotWholeYetIsNone() throws {
        for text in ["12/345 ", "[12/345]", "12 of 345 "] {
            var reader = try OutputReader(choice: .forced("count"))
            var all: [ProgressSample] = []
            for byte in Array(text.utf8) { all += reader.read([byte]) }
            all += reader.finish()
            #expect(all == [.amount(12, of: 345)], "\(text)")
        }
    }
}
