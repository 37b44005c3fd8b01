import CellScreen
import TestSupport
import Testing

@testable import DashboardCore

@Suite struct ThemeFileTests {
    private func problem(_ text: String) -> String? {
        do {
            _ = try Theme(parsing: text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("I-24: a file sets styles, and what it does not name stays")
    func sets() throws {
        let file = """
            # my colours
            inherit monochrome   # and nothing else

            title=bold underline fg bright-yellow bg 17
            \tchosen-button = reverse dim
            lost = plain
            fill = fg default
            """
        for text in [
            file,
            file.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"),
            "\u{FEFF}" + file,
        ] {
            let theme = try Theme(parsing: text)
            let title = CellStyle(
                foreground: .indexed(11),
                background: .indexed(17),
                attributes: [.bold, .underline]
            )
            #expect(theme.style(.title) == title)
            #expect(theme.style(.chosenButton).attributes == [.reverse, .dim])
            #expect(theme.style(.lost) == .plain)
            #expect(theme.style(.stalled) == Theme.monochrome.style(.stalled))
        }
        #expect(try Theme(parsing: "") == .standard)
        #expect(try Theme(parsing: "# nothing\n\n") == .standard)
        #expect(try Theme(parsing: "inherit standard") == .standard)
        #expect(try Theme(parsing: "inherit monochrome") == .monochrome)
    }

    @Test("I-24: every role can be set, and every style written")
    func roles() throws {
        for role in Theme.Role.allCases {
            for word in ["bold", "dim", "reverse", "underline", "fg bright-white", "bg 3"] {
                let text = "inherit monochrome\n\(role.name) = \(word)"
                #expect(try Theme(parsing: text).style(role) != .plain)
            }
        }
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        for (index, name) in names.enumerated() {
            let theme = try Theme(parsing: "text = fg \(name)\ntitle = fg bright-\(name)")
            #expect(theme.style(.text).foreground == .indexed(UInt8(index)))
            #expect(theme.style(.title).foreground == .indexed(UInt8(index) + 8))
        }
    }

    @Test(
        "I-24: an error names the line, what was wrong and what is possible",
        arguments: [
            ("\ntitel = bold", ["line 2:", "\"titel\"", "text, title,", "chosen-button", "lost"]),
            ("title bold", ["line 1:", "\"=\"", "\"title\"", "ROLE = STYLE"]),
            ("title = blod", ["line 1:", "\"blod\"", "plain, bold, dim", "fg COLOR"]),
            ("title =", ["line 1:", "nothing follows", "plain, bold"]),
            ("title = fg", ["line 1:", "fg needs a colour", "default, black", "0 to 255"]),
            ("title = bg pink", ["line 1:", "\"pink\" is no colour", "bright-", "0 to 255"]),
            ("title = fg 256", ["line 1:", "\"256\"", "0 to 255"]),
            ("title = fg 3 bg 3", ["line 1:", "same colour", "change one"]),
            ("title = bold bold", ["line 1:", "\"bold\"", "twice"]),
            ("title = fg 1 fg 2", ["line 1:", "\"fg\"", "twice"]),
            ("title = bold plain", ["line 1:", "plain stands alone"]),
            ("title = bold\n#\ntitle = dim", ["line 3:", "already set in line 1"]),
            ("title header = bold", ["line 1:", "\"title header\""]),
            ("= bold", ["line 1:", "no role"]),
            (
                "inherit solarized",
                ["line 1:", "\"solarized\"", "standard, dark, light and monochrome"]
            ),
            ("inherit", ["line 1:", "standard, dark, light and monochrome"]),
            ("inherit standard\ninherit standard", ["line 2:", "already in line 1"]),
            ("text = bold\ninherit standard", ["line 2:", "before all roles", "line 1"]),
        ]
    )
    func errors(text: String, parts: [String]) {
        let problem = problem(text) ?? ""
        for part in parts { #expect(problem.contains(part), "\(problem)") }
    }

    @Test("I-24: what is too long is refused, and what is quoted can be printed")
    func bounds() {
        #expect(problem(String(repeating: "#", count: 65_536)) == nil)
        #expect(problem(String(repeating: "#", count: 65_537))?.contains("65536 bytes") == true)
        let long = problem(String(repeating: "x", count: 60_000)) ?? ""
        #expect(long.contains("xxx…\"") && long.utf8.count < 200)
        let foreign = problem("\u{1B}[31m\u{202E}\u{7} = bold") ?? ""
        #expect(foreign.contains("\"?[31m??\""))
        #expect(foreign.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }

    @Test("I-24: no text traps, and each is read or refused with a line")
    func anyText() {
        var random = SplitMix64(seed: 24)
        let pieces = [
            "inherit", " ", "standard", "monochrome", "=", "\n", "\r\n", "title", "lost", "bold",
            "plain", "fg", "bg", "3", "256", "bright-", "red", "default", "#", "\u{0}", "é", "👩‍👩‍👧",
            "\t", "\u{2028}", "text = dim\n", "fill = fg 4\n",
        ]
        var read = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<12, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let problem = problem(text) else {
                read += 1
                continue
            }
            #expect(problem.hasPrefix("line "))
        }
        #expect((50..<4_950).contains(read))
    }
}
