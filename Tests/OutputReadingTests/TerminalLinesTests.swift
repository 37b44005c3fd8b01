@testable import OutputReading
import Testing

@Suite struct TerminalLinesTests {
    /// The lines of a text: each with its ending, `n`, `r` or `…`.
    private static func lines(_ pieces: String...) -> [String] {
        lines(of: pieces.map { Array($0.utf8) })
    }

    private static func lines(of pieces: [[UInt8]]) -> [String] {
        var lines = TerminalLines()
        var all: [String] = []
        func take(_ line: OutputLine) {
            let end =
                switch line.ending {
                case .newline: "n"
                case .carriageReturn: "r"
                case .open: "…"
                }
            all.append(String(decoding: line.bytes, as: UTF8.self) + end)
        }
        for piece in pieces {
            piece.withUnsafeBytes { lines.read($0, into: take) }
            if let line = lines.open() { take(line) }
        }
        lines.finish(into: take)
        return all
    }

    @Test func aReturnBeforeANewlineIsNoEndOfItsOwn() {
        #expect(Self.lines("one\r\ntwo\n") == ["onen", "twon"])
        #expect(Self.lines("one\r", "\ntwo") == ["one…", "onen", "two…", "twon"])
        #expect(Self.lines("10%\r20%\r\r30%") == ["10%r", "20%r", "30%…", "30%n"])
    }

    @Test func whatHasNotEndedComesAsOpenAndAgainWhole() {
        #expect(Self.lines("Password: ", "", "ok\n") == ["Password: …", "Password: okn"])
        #expect(Self.lines("\r10%", "\r20%") == ["10%…", "10%r", "20%…", "20%n"])
    }

    @Test func escapeSequencesGoWhereverTheyAreCut() {
        let text = "\u{1b}[1;32m[ 37%]\u{1b}[0m \u{1b}]0;a title 99%\u{7}Bui\u{1b}(Blding\u{1b}[K\n"
        #expect(Self.lines(text) == ["[ 37%] Buildingn"])
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            let cut = Self.lines(of: [Array(bytes[..<place]), Array(bytes[place...])])
            #expect(cut.last == "[ 37%] Buildingn", "cut at \(place): \(cut)")
        }
        #expect(Self.lines("a\u{1b}]8;;http://x\u{1b}\\b\u{1b}]8;;\u{1b}\\\n") == ["abn"])
    }

    @Test func movingTheCursorEndsALine() {
        #expect(Self.lines("a: 1%\nb: 2%\u{1b}[Aa: 3%\n") == ["a: 1%n", "b: 2%r", "a: 3%n"])
        #expect(Self.lines("\u{1b}7\u{1b}[24;0fbar\u{1b}8text\n") == ["barr", "textn"])
        #expect(Self.lines("one\u{1b}[2Gtwo\n") == ["oner", "twon"])
    }

    @Test func whatCoversTheTerminalHasNoLines() {
        for mode in ["1049", "1047", "47"] {
            let text = "a\u{1b}[?\(mode)hcpu 1%\ncpu 2%\u{8}\u{8}\u{1b}[?\(mode)lb\n"
            #expect(Self.lines(text) == ["ar", "bn"], "\(mode)")
            #expect(Self.lines("\u{1b}[?\(mode)hcpu 1%", "cpu 2%") == [])
        }
        #expect(Self.lines("\u{1b}[?25ha\n") == ["an"])
    }

    @Test func aSequenceWithoutEndLosesNoLine() {
        #expect(Self.lines("\u{1b}]0;never ended\nnext\n") == ["nextn"])
        #expect(Self.lines("a\u{1b}[31\nnext\n") == ["an", "nextn"])
    }

    @Test func backspacesTakeCharactersBack() {
        #expect(Self.lines("10%\u{8}\u{8}\u{8}20%\n") == ["10%r", "20%n"])
        #expect(Self.lines("ä\u{8}b\n") == ["är", "bn"])
        // What was there before stays before what is written anew.
        #expect(Self.lines("at 1%\u{8}\u{8}2%\u{8}\u{8}\n") == ["at 1%r", "at 2%r", "at n"])
        #expect(Self.lines("\u{8}\u{8}a\tb\u{0}c\n") == ["a bcn"])
    }

    @Test func wrongUTF8IsRepaired() {
        #expect(Self.lines(of: [[0x61, 0xff, 0xc3, 0x0a]]) == ["a\u{fffd}\u{fffd}n"])
        #expect(Self.lines(of: [[0xc3], [0xa4, 0x0a]]).last == "än")
    }

    @Test func aLineKeepsItsFirstFourKibibytes() {
        let long = String(repeating: "x", count: 100_000)
        let lines = Self.lines(long + "\nnext\n")
        #expect(lines.map(\.utf8.count) == [4_097, 5])
        #expect(lines.last == "nextn")
    }
}
