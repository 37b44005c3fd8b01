@testable import OutputReading
import Testing

@Suite struct PatternTests {
    /// The named groups of the first match, `name=text`.
    private static func match(_ pattern: String, _ text: String) throws -> [String]? {
        let characters = Array(text.unicodeScalars)
        let match = try Pattern(pattern).firstMatch(in: characters)
        return match?.map { name, range in
            name + "=" + characters[range].map(String.init).joined()
        }.sorted()
    }

    @Test(
        "patterns match as everywhere",
        arguments: [
            (#"(?<a>\d+)/(?<b>\d+)"#, "at 12/345 now", ["a=12", "b=345"]),
            (#"^(?<a>.*) (?<b>\w+)$"#, "one two three", ["a=one two", "b=three"]),
            (#"^(?<a>.*?) (?<b>.+)$"#, "one two three", ["a=one", "b=two three"]),
            (#"(?<a>a|ab)(?<b>c|bcd)(?<c>d*)"#, "abcd", ["a=a", "b=bcd", "c="]),
            (#"(?<a>a+?)(?<b>a*)"#, "aaa", ["a=a", "b=aa"]),
            (#"(?<a>[a-c\d_]{2,3})"#, "xyab1c", ["a=ab1"]),
            (#"(?<a>[^\s]+)%"#, "now 37.5% x", ["a=37.5"]),
            (#"\b(?<a>is)\b"#, "this is it", ["a=is"]),
            (#"(?:x|(?<a>y))+"#, "xyx", ["a=y"]),
            (#"(?<a>ü+)"#, "müüß", ["a=üü"]),
            (#"(?<a>)x"#, "x", ["a="]),
            (#"(?P<a>\[\d\])"#, "[1]", ["a=[1]"]),
            (#"(?<a>[]a-]+)"#, "x]-a", ["a=]-a"]),
            (#"(?:a*)*(?<a>b)"#, "aab", ["a=b"]),
            (#"(?<a>x{0}y)"#, "y", ["a=y"]),
            (#"(?<a>a{,3})"#, "a{,3}", ["a=a{,3}"]),
        ]
    )
    func matches(pattern: String, text: String, groups: [String]) throws {
        #expect(try Self.match(pattern, text) == groups)
    }

    @Test func whatIsNotThereIsNoMatch() throws {
        #expect(try Self.match(#"(?<a>\d+)%"#, "no number %") == nil)
        #expect(try Self.match(#"^b(?<a>.)"#, "ab1") == nil)
        #expect(try Self.match(#"(?<a>.)\B$"#, "a") == nil)
    }

    @Test(
        "the text that every match has in it is found",
        arguments: [
            (#"(?<a>\d+) of (?<b>\d+)"#, " of "), (#"ab(?:cd)+ef"#, "ab"), (#"a(?:xyz)?bc"#, "bc"),
            (#"(?:ab|cd)e"#, "e"), (#"^\bab(?<x>cd)$"#, "abcd"), (#"\d*"#, ""), (#"ü+xx"#, "ü"),
        ]
    )
    func literal(pattern: String, literal: String) throws {
        var parser = PatternParser(pattern)
        #expect(try parser.parse().longestLiteral == Array(literal.utf8))
        #expect(try Pattern(pattern).mayMatch(Array("…\(literal)…".utf8)))
        #expect(try Pattern(pattern).mayMatch([]) == literal.isEmpty)
    }

    @Test(
        "a pattern that cannot be used is answered in words",
        arguments: [
            ("", "empty"), ("(", "( without a )"), (")", ") without a ("), ("[a", "[ without a ]"),
            ("*a", "nothing before *"), ("a\\", "ends with a \\"), (#"(?<a>\1)"#, "\\1"),
            ("(?=a)", "of groups"), ("(?<>a)", "name"), ("(?<percent>a{5,2})", "from less to more"),
            ("(?<percent>(a{100}){100})", "too long"), ("^*", "cannot be repeated"),
            ("(?<percent>(((()){100}){100}){100})", "too long"), (#"\d+"#, "has no group"),
            (#"(?<percnt>\d+)"#, "no group"), (#"(?<percent>\d+)(?<x>.)"#, "no group x"),
            ("(?<percent>a++)", "+"), ("[z-a]", "less to more"), (#"[\D]"#, "not understood"),
            (String(repeating: "(", count: 500), "deep"),
            (String(repeating: "a", count: 5_000), "longer than"),
        ]
    )
    func refusals(pattern: String, words: String) {
        let error = #expect(throws: AdapterError.self) {
            try OutputReader(choice: .regex(pattern))
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    /// Patterns for which going back takes longer than the universe has.
    @Test(
        "the time is bounded by pattern and line",
        arguments: [#"(?<percent>(a+)+)b"#, #"(?<percent>(a|a)*)b"#, #"(?<percent>.*.*.*.*.*)b"#]
    )
    func time(pattern: String) throws {
        var reader = try OutputReader(choice: .regex(pattern))
        #expect(reader.read(String(repeating: "a", count: 4_000) + "\n").isEmpty)
    }

    @Test func groupsBecomeFindings() throws {
        var reader = try OutputReader(
            choice: .regex(
                #"(?<part>\w+): (?<completed>[\d,]+) of (?<total>[\d,]+) (?<unit>\w+)(?<detail>.*)"#
            )
        )
        var finding = Finding.amount(1_234, of: 56_789, unit: "rows", part: "load")
        #expect(reader.read("load: 1,234 of 56,789 rows\n") == [finding])
        finding = Finding(part: "load").with(detail: "now b")
        finding.completed = 2_000
        #expect(reader.read("load: 2,000 of 56,789 rows now b\n") == [finding])
        var percent = try OutputReader(choice: .regex(#"(?<percent>[\d.]+) ?%"#))
        #expect(percent.read("at 37.5 % of it\n") == [.percent(3_750)])
        #expect(percent.read("at 150%\n").isEmpty)
    }
}
