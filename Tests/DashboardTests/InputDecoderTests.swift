import DashboardCore
import TaskTree
import Testing

@testable import Dashboard

@Suite("Keys from what the terminal sends")
struct InputDecoderTests {
    /// All that a text gives when it comes in one go and nothing follows.
    private func decoded(_ text: String) -> [TerminalInput] {
        var decoder = InputDecoder()
        var result = text.unicodeScalars.compactMap { decoder.take(.scalar($0.value)) }
        if let last = decoder.pause(at: .seconds(10)) { result.append(last) }
        return result
    }

    @Test("the rest of a sequence within its time: the key, whoever looks how often meanwhile")
    func splitSequence() {
        for (text, key) in [
            ("\u{1B}[A", Key.up), ("\u{1B}OB", .down), ("\u{1B}[6~", .pageDown),
            ("\u{1B}[H", .home), ("\u{1B}[8~", .end),
        ] {
            var decoder = InputDecoder()
            var now = 0.0
            var heard: [TerminalInput] = []
            for scalar in text.unicodeScalars {
                if let input = decoder.take(.scalar(scalar.value), at: .seconds(now)) {
                    heard.append(input)
                }
                // Pictures, signals and frames wake the loop.
                for _ in 0..<4 {
                    now += 0.011
                    if let input = decoder.pause(at: .seconds(now)) { heard.append(input) }
                }
            }
            #expect(heard == [.key(key)])
            #expect(decoder.due == nil)
        }
    }

    @Test("Esc alone: the key after its time, not before, and once")
    func loneEscape() {
        var decoder = InputDecoder()
        #expect(decoder.take(.scalar(27), at: .seconds(1)) == nil)
        #expect(decoder.due == .seconds(1 + InputDecoder.patience))
        #expect(decoder.pause(at: .seconds(1 + InputDecoder.patience - 0.001)) == nil)
        #expect(decoder.pause(at: .seconds(1 + InputDecoder.patience)) == .key(.escape))
        #expect(decoder.due == nil)
        #expect(decoder.pause(at: .seconds(9)) == nil)
    }

    @Test("what is pasted: text, with no key in it")
    func paste() {
        let (begin, end) = ("\u{1B}[200~", "\u{1B}[201~")
        #expect(decoded(begin + "pdqx\r\u{3}\u{1A}" + end) == [.paste("pdqx\r\u{3}\u{1A}")])
        #expect(decoded(begin + end + "q") == [.paste(""), .key(.character("q"))])
        #expect(decoded(begin + "a\u{1B}\u{1B}[20é" + end) == [.paste("a\u{1B}\u{1B}[20é")])
        #expect(decoded(begin + "a" + begin + "b" + end) == [.paste("a" + begin + "b")])
        #expect(decoded(end + "q") == [.key(.character("q"))])
        var decoder = InputDecoder()
        for scalar in begin.unicodeScalars { _ = decoder.take(.scalar(scalar.value)) }
        for token in [InputToken.key(.up), .mouse(MouseEvent(.click, column: 1, row: 1))] {
            #expect(decoder.take(token) == nil)
        }
        #expect(decoder.take(.scalar(97)) == nil)
        let rest = end.unicodeScalars.compactMap { decoder.take(.scalar($0.value)) }
        #expect(rest == [.paste("a")])
    }

    @Test("a paste without an end: over after its time, or at its bound; little of it is kept")
    func endlessPaste() {
        var decoder = InputDecoder()
        for scalar in "\u{1B}[200~abc".unicodeScalars {
            _ = decoder.take(.scalar(scalar.value), at: .seconds(1))
        }
        #expect(decoder.pause(at: .seconds(1 + PastedText.patience - 0.001)) == nil)
        #expect(decoder.pause(at: .seconds(1 + PastedText.patience)) == .paste("abc"))
        #expect(decoder.take(.scalar(97)) == .key(.character("a")))

        let longest = 2 * PastedText.mostKept
        var text = PastedText(longest: longest)
        var taken = 1
        while !text.take(0x301), taken < 2 * longest { taken += 1 }
        #expect(taken == longest)
        #expect(text.text.unicodeScalars.count == PastedText.mostKept)
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
            "\u{1B}[1;9Z", "\u{1B}[201~", "\u{1B}[I", "\u{1B}OX", "\u{1B}x",
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
        #expect(paused.due != nil)
        #expect(paused.pause(at: .seconds(10)) == nil)
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

extension InputDecoder {
    /// Takes what came in one go with the rest.
    fileprivate mutating func take(_ token: InputToken) -> TerminalInput? {
        take(token, at: .seconds(0))
    }
}

extension Moment {
    fileprivate static func seconds(_ seconds: Double) -> Moment {
        Moment(nanoseconds: 0).advanced(bySeconds: seconds)
    }
}
