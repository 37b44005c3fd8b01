/// A pattern of the user's own: `(?<completed>\d+) of (?<total>\d+) (?<unit>\w+)`.
///
/// Named groups say what is what: `percent`, or `completed` with or without `total`, further `unit`,
/// `detail`, `part`. The first match in a line's first 1,000 characters counts. Amounts may have
/// commas between thousands, percentages a point.
struct PatternAdapter: OutputAdapter {
    static let name = "regex"
    static let groups = ["percent", "completed", "total", "unit", "detail", "part"]
    private static let longest = 1_000

    static func recognizes(_ command: CommandWords) -> Bool { false }

    private let pattern: Pattern?

    init(for command: CommandWords) {
        pattern = nil
    }

    init(_ text: String) throws(AdapterError) {
        do throws(PatternError) {
            let pattern = try Pattern(text)
            guard pattern.names.contains(where: Self.groups.contains) else {
                throw PatternError(
                    """
                    it has no group that says what is what; give it one of \
                    (?<\(Self.groups.joined(separator: ">…), (?<"))>…).
                    """
                )
            }
            if let unknown = pattern.names.first(where: { !Self.groups.contains($0) }) {
                throw PatternError(
                    """
                    there is no group \(unknown); there are \
                    \(Self.groups.joined(separator: ", ")).
                    """
                )
            }
            self.pattern = pattern
        } catch {
            throw .badPattern(text, why: error.reason)
        }
    }

    var needs: LineNeed { .nothing }

    mutating func read(_ line: OutputLine) -> [Finding] {
        // A match in what has been cut may be another one than in the whole.
        guard line.ending != .open, let pattern, pattern.mayMatch(line.bytes) else { return [] }
        let characters = Array(line.text.unicodeScalars.prefix(Self.longest))
        guard let match = pattern.firstMatch(in: characters) else { return [] }
        let text = { (name: String) -> String? in
            guard let range = match[name] else { return nil }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: characters[range])
            let whole = String(text)
            return whole.isEmpty ? nil : whole
        }
        var finding = Finding(part: text("part"))
        if let percent = text("percent"), let value = Self.hundredths(percent) {
            finding = .percent(value, of: finding.part)
        } else {
            finding.completed = text("completed").flatMap(Self.number)
            finding.total = text("total").flatMap(Self.number)
            finding.unit = text("unit")
        }
        return [finding.with(detail: text("detail"))]
    }

    private static func number(_ text: String) -> Int64? {
        var scanner = LineScanner(OutputLine(text))
        scanner.spaces()
        return scanner.number(grouped: true)
    }

    private static func hundredths(_ text: String) -> Int64? {
        var scanner = LineScanner(OutputLine(text))
        scanner.spaces()
        guard let value = scanner.decimal(inPowerOfTen: 2), value <= Finding.wholePercent else {
            return nil
        }
        return value
    }
}
