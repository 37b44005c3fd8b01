import DashboardCore
import Testing

@testable import Dashboard

@Suite("Keys from what the terminal sends")
struct InputDecoderTests {
    /// All that a text gives when it comes in one go and nothing follows.
    private func decoded(_ text: String) -> [TerminalInput] {
        var decoder = InputDecoder()
        var result = text.unicodeScalars.compactMap { decoder.take(.scalar($0.value)) }
        if let last = decoder.pause() { result.append(last) }
        return result
    }

    @Test(
        "one press: its key",
        arguments: [
            ("a", TerminalInput.key(.character("a"))), ("/", .key(.character("/"))),
            (" ", .key(.character(" "))), ("é", .key(.character("é"))),
            ("進", .key(.character("進"))), ("😀", .key(.character("😀"))),
            ("\r", .key(.enter)), ("\n", .key(.enter)), ("\t", .key(.tab)),
            ("\u{7F}", .key(.backspace)), ("\u{8}", .key(.backspace)),
            ("\u{1B}", .key(.escape)), ("\u{3}", .key(.interrupt)), ("\u{1A}", .suspend),
            ("\u{C}", .redraw),
        ]
    )
    func singlePress(text: String, expected: TerminalInput) {
        #expect(decoded(text) == [expected])
    }

    @Test(
        "a sequence nobody knows: nothing",
        arguments: [
            "\u{1B}[1;9Z", "\u{1B}[200~", "\u{1B}[I", "\u{1B}OX", "\u{1B}x",
            "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]52;c;eA==\u{1B}\\",
            "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[<0;3;4M", "\u{1B}[?64;1;2c",
        ]
    )
    func unknownSequence(text: String) {
        #expect(decoded(text) == [])
        #expect(decoded(text + "q") == [.key(.character("q"))])
    }

    @Test("other control characters: nothing")
    func controlCharacters() {
        let known: Set<UInt32> = [3, 8, 9, 10, 12, 13, 26, 27, 127]
        for value in Array(UInt32(0)..<32) + Array(127..<160) where !known.contains(value) {
            var decoder = InputDecoder()
            #expect(decoder.take(.scalar(value)) == nil)
            #expect(decoder.take(.scalar(97)) == .key(.character("a")))
        }
    }

    @Test("the Esc key twice: twice")
    func escapeTwice() {
        #expect(decoded("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
    }

    @Test("a known key in the middle of a sequence: the key")
    func knownKeyWithin() {
        var decoder = InputDecoder()
        #expect(decoder.take(.scalar(27)) == nil)
        #expect(decoder.take(.scalar(0x5B)) == nil)
        #expect(decoder.take(.key(.up)) == .key(.up))
        #expect(decoder.take(.scalar(97)) == .key(.character("a")))
    }

    @Test("the terminal has a mode: said")
    func knownMode() {
        #expect(decoded("\u{1B}[?2026;2$y") == [.mode(2026, isKnown: true)])
        #expect(decoded("\u{1B}[?2026;1$y") == [.mode(2026, isKnown: true)])
        #expect(decoded("\u{1B}[?2026;0$y") == [.mode(2026, isKnown: false)])
        #expect(decoded("\u{1B}[?2026;4$y") == [.mode(2026, isKnown: false)])
    }

    @Test(
        "a broken answer: nothing",
        arguments: [
            "\u{1B}[?$y", "\u{1B}[?2026$y", "\u{1B}[?;$y", "\u{1B}[?99999999999999999999;1$y",
            "\u{1B}[2026;1$y", "\u{1B}[?2026;1y",
        ]
    )
    func brokenAnswer(text: String) {
        #expect(decoded(text) == [])
    }

    @Test("a sequence that never ends: keys again after its bound, or after a pause")
    func endlessSequence() {
        var decoder = InputDecoder()
        for scalar in "\u{1B}]".unicodeScalars { _ = decoder.take(.scalar(scalar.value)) }
        var heard = 0
        for _ in 0..<10_000 where decoder.take(.scalar(97)) != nil { heard += 1 }
        #expect(heard >= 5_000)

        var control = InputDecoder()
        for scalar in "\u{1B}[".unicodeScalars { _ = control.take(.scalar(scalar.value)) }
        for _ in 0..<1_000 { _ = control.take(.scalar(0x31)) }
        #expect(control.take(.scalar(97)) == .key(.character("a")))

        var paused = InputDecoder()
        for scalar in "\u{1B}[12".unicodeScalars { _ = paused.take(.scalar(scalar.value)) }
        #expect(paused.isWithin)
        #expect(paused.pause() == nil)
        #expect(paused.take(.scalar(97)) == .key(.character("a")))
    }

    @Test("every value a scalar may have, and those it may not: no trap")
    func anyValue() {
        var decoder = InputDecoder()
        for value in [UInt32(0xD800), 0xDFFF, 0x10FFFF, 0x11_0000, .max] {
            _ = decoder.take(.scalar(value))
            _ = decoder.take(.scalar(27))
            _ = decoder.take(.scalar(value))
        }
        #expect(decoder.take(.scalar(97)) == .key(.character("a")))
    }
}
