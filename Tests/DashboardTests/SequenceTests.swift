import CellScreen
import DashboardCore
import Testing

@testable import Dashboard

@Suite("What goes to the terminal beside the screen")
struct SequenceTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "a title with control characters: one sequence",
        arguments: ["a\u{7}b", "\u{1B}]0;x\u{7}", "\u{9C}", "\u{1B}\\", "line\nline", "\u{0}"]
    )
    func hostileTitle(title: String) {
        let sent = text(TerminalSequences.title(title))
        let inner = sent.dropFirst(4).dropLast()
        #expect(sent.hasPrefix("\u{1B}]2;") && sent.hasSuffix("\u{7}"))
        #expect(
            inner.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) }
        )
    }

    @Test("a long title: cut")
    func longTitle() {
        let sent = TerminalSequences.title(String(repeating: "x", count: 100_000))
        #expect(sent.count < 300)
    }

    @Test(
        "the taskbar: its five states",
        arguments: [
            (DashboardModel.Taskbar.none, "0;0"), (.normal(percent: 7), "1;7"),
            (.error(percent: 100), "2;100"), (.indeterminate, "3;0"), (.paused(percent: 0), "4;0"),
            (.normal(percent: -3), "1;0"), (.normal(percent: 1_000), "1;100"),
        ]
    )
    func taskbar(state: DashboardModel.Taskbar, code: String) {
        #expect(text(TerminalSequences.taskbar(state)) == "\u{1B}]9;4;\(code)\u{7}")
    }

    @Test("a question is asked only where it is not printed")
    func questions() {
        #expect(TerminalSequences.takesQuestions("xterm-256color"))
        #expect(TerminalSequences.takesQuestions("tmux-256color"))
        #expect(!TerminalSequences.takesQuestions("linux"))
        #expect(!TerminalSequences.takesQuestions("vt100"))
    }

    @Test("the clipboard gets the text in base 64, whatever its length")
    func clipboard() {
        let encoded = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "id:3-7/": "aWQ6My03Lw=="]
        for (plain, base64) in encoded {
            #expect(text(TerminalSequences.clipboard(plain)) == "\u{1B}]52;c;\(base64)\u{7}")
        }
    }

    @Test("a link keeps the cursor, and is none where its address could end the sequence")
    func link() {
        let style = CellStyle(foreground: .indexed(3), background: .indexed(236), attributes: .bold)
        let bytes = TerminalSequences.link(to: "https://a/b", "a/b", style, at: Array("@".utf8))
        #expect(
            text(bytes)
                == "\u{1B}7@\u{1B}[0;1;33;48;5;236m"
                + "\u{1B}]8;;https://a/b\u{1B}\\a/b\u{1B}]8;;\u{1B}\\\u{1B}8"
        )
        for evil in ["https://a\u{7}", "https://a\u{1B}\\", "https://a b", "https://\u{E4}"] {
            #expect(TerminalSequences.link(to: evil, "a", style, at: []).isEmpty)
        }
    }

    @Test(
        "words for a person elsewhere: in one of the two forms, and never a number of the taskbar's"
    )
    func notification() {
        let evil = "4;1;50\u{7}\u{1B}]2;x"
        let nine = text(TerminalSequences.notification(evil, for: "xterm-256color"))
        #expect(nine == "\u{1B}]9;progressbus: 4;1;50  ]2;x\u{7}")
        let other = text(TerminalSequences.notification("done", for: "foot"))
        #expect(other == "\u{1B}]777;notify;progressbus;done\u{7}")
    }
}
