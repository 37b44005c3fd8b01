import OutputReading
import Testing

@Suite struct LastLinesTests {
    private static func lines(_ pieces: String...) -> [String] {
        var last = LastLines()
        for piece in pieces { Array(piece.utf8).withUnsafeBytes { last.take($0) } }
        return last.lines()
    }

    @Test func coloursBarsAndEmptyLinesAreLeftOut() {
        #expect(
            Self.lines(
                "\u{1b}[31merror:\u{1b}[0m no\r\n\n10%\r20%\r",
                "make: *** [all] Err",
                "or 1"
            )
                == ["error: no", "make: *** [all] Error 1"]
        )
        #expect(Self.lines() == [])
        #expect(Self.lines("no\n^C\n") == ["no"])
    }

    @Test func onlyTheLastTwentyLinesAndFourKibibytesAreKept() {
        let many = (1...50_000).map { "line \($0)\n" }.joined()
        #expect(Self.lines(many) == (49_981...50_000).map { "line \($0)" })
        #expect(Self.lines("a\n", many).count == LastLines.mostLines)
        let wide = String(repeating: "x", count: 1_000)
        #expect(
            Self.lines((1...9).map { "\($0)\(wide)\n" }.joined()).map(\.first) == [
                "6", "7", "8", "9",
            ]
        )
        // The beginning of such a line is not known any more.
        #expect(Self.lines(String(repeating: "x", count: 100_000), "\nend\n") == ["end"])
    }
}
