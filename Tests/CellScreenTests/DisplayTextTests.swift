import Testing

@testable import CellScreen

@Suite struct DisplayTextTests {
    /// A text, what is drawn of it, and its columns.
    struct Drawn: Sendable, CustomTestStringConvertible {
        var text: String
        var shown: String
        var width: Int
        var testDescription: String { "\(text.unicodeScalars.map { String($0.value, radix: 16) })" }

        init(_ text: String, _ shown: String, _ width: Int) {
            self.text = text
            self.shown = shown
            self.width = width
        }
    }

    @Test(
        "foreign text: only what all terminals agree about is drawn",
        arguments: [
            Drawn("", "", 0),
            Drawn("plain ~", "plain ~", 7),
            Drawn("日本語", "日本語", 6),
            Drawn("ｆｕｌｌ", "ｆｕｌｌ", 8),
            Drawn("한글", "한글", 4),
            Drawn("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}", 2),
            Drawn("שלום", "שלום", 4),
            Drawn("العربية", "العربية", 7),
            // Marks: two of three, none without what they stand over.
            Drawn("e\u{301}", "e\u{301}", 1),
            Drawn("e\u{301}\u{302}\u{303}x", "e\u{301}\u{302}x", 2),
            Drawn("\u{301}x", "x", 1),
            Drawn("日\u{301}", "日\u{301}", 2),
            Drawn("\u{915}\u{93E}", "\u{915}\u{93E}", 2),
            // Controls become spaces, directions and formats vanish.
            Drawn("a\tb\nc\u{1B}[31m", "a b c [31m", 10),
            Drawn("\0\u{7F}\u{9B}\u{2028}\u{2029}", "     ", 5),
            Drawn("a\u{A0}b\u{2003}c", "a b c", 5),
            Drawn("\u{61C}a\u{200E}\u{200F}\u{202A}\u{202E}b\u{2066}\u{2069}", "ab", 2),
            Drawn("so\u{AD}ft\u{200B}\u{200C}\u{2060}\u{FEFF}", "soft", 4),
            // Emoji.
            Drawn("🚀", "🚀", 2),
            Drawn("👨‍👩‍👧‍👦!", "👨!", 3),
            Drawn("👩🏽‍🚀x", "👩x", 3),
            Drawn("🧑‍⚕️x", "🧑x", 3),
            Drawn("👍🏿", "👍", 2),
            Drawn("❤️x", "❤x", 2),
            Drawn("❤️‍🔥x", "❤x", 2),
            Drawn("1️⃣2", "12", 2),
            Drawn("🇩🇪", "DE", 2),
            Drawn("🏴󠁧󠁢󠁥󠁮󠁧󠁿x", "🏴x", 3),
            Drawn("👨\u{200D}a🚀", "👨a🚀", 5),
            Drawn("a\u{200D}🚀", "a🚀", 3),
            Drawn("1\u{200D}🚀", "1🚀", 3),
            // Disputed, private and unassigned.
            Drawn("\u{E000}\u{F0000}\u{378}\u{10FFFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 4),
            Drawn("䷀☰", "\u{FFFD}\u{FFFD}", 2),
        ]
    )
    func drawn(_ example: Drawn) {
        let shown = DisplayText.clipped(example.text, to: .max)
        // By scalars: strings that are canonically equivalent are equal.
        #expect(Array(shown.unicodeScalars) == Array(example.shown.unicodeScalars))
        #expect(DisplayText.width(of: example.text) == example.width)
        #expect(DisplayText.width(of: shown) == example.width)
        #expect(
            Array(DisplayText.clipped(shown, to: .max).unicodeScalars)
                == Array(shown.unicodeScalars)
        )
    }

    @Test("every width: the clipped text fits and says if something is missing")
    func clipped() {
        #expect(DisplayText.clipped("compile", to: 7) == "compile")
        #expect(DisplayText.clipped("compile", to: 6) == "compi…")
        #expect(DisplayText.clipped("compile", to: 1) == "…")
        #expect(DisplayText.clipped("compile", to: 0) == "")
        #expect(DisplayText.clipped("compile", to: -3) == "")
        #expect(DisplayText.clipped("compile", to: .min) == "")
        #expect(DisplayText.clipped("compile", to: .max) == "compile")
        #expect(DisplayText.clipped("日本語", to: 5) == "日本…")
        #expect(DisplayText.clipped("日本語", to: 4) == "日…")
        #expect(DisplayText.clipped("compile", to: 5, ellipsis: "...") == "co...")
        #expect(DisplayText.clipped("compile", to: 2, ellipsis: "...") == "..")
        #expect(DisplayText.clipped("compile", to: 3, ellipsis: "") == "com")
        #expect(DisplayText.clipped("x\u{202E}y\u{200B}", to: 2) == "xy")
        #expect(DisplayText.clipped("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
    }

    @Test("scalars: each has the columns it is drawn in")
    func scalars() {
        let widths: [(Unicode.Scalar, Int)] = [
            ("a", 1), ("é", 1), ("█", 1), ("⣿", 1), ("…", 1), ("日", 2), ("🚀", 2), ("\u{301}", 0),
            ("\u{200D}", 0), ("\u{FE0F}", 0), ("\n", 1), ("\u{378}", 1), ("\u{10FFFF}", 1),
            ("\u{3000}", 2), ("\u{1F3FD}", 0),
        ]
        for (scalar, width) in widths {
            #expect(DisplayText.width(of: scalar) == width, "\(scalar.value)")
        }
    }

    @Test("the table: ascending from 0, neighbours differ, and the quick paths agree with it")
    func table() {
        let runs = WidthTable.runs
        #expect(runs.first.map { $0 >> 3 } == 0)
        for (run, next) in zip(runs, runs.dropFirst()) {
            #expect(run >> 3 < next >> 3)
            #expect(run & 7 != next & 7)
        }
        #expect(runs.allSatisfy { ScalarClass(rawValue: $0 & 7) != nil })
        for value in UInt32(0)...0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(ScalarClass(scalar) == ScalarClass.found(value), "\(value)")
        }
    }

    @Test("every scalar: nothing that moves the cursor or the direction comes out")
    func harmless() throws {
        var wrong: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            // Of the others nothing of their own comes out.
            guard [.narrow, .wide, .mark].contains(ScalarClass(scalar)) else { continue }
            for shown in DisplayText.clipped("a\(scalar)", to: .max).unicodeScalars.dropFirst() {
                switch shown.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
                    .unassigned:
                    wrong.append(value)
                default:
                    if shown.properties.isBidiControl
                        || shown.properties.isDefaultIgnorableCodePoint
                        || shown.properties.isEmojiModifier || shown.properties.isJoinControl
                    {
                        wrong.append(value)
                    }
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0, radix: 16) })")
    }
}

extension DisplayText {
    /// The columns that a scalar takes by itself: 0 for a mark and for what is not drawn, 1 or 2.
    static func width(of scalar: Unicode.Scalar) -> Int {
        switch ScalarClass(scalar) {
        case .mark, .invisible: 0
        case .wide: 2
        case .narrow, .space, .replaced: 1
        }
    }
}
