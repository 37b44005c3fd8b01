/// `wget`: the bar, the dots, and what it says of the file before and after.
///
/// The total is in the line `Length:`; the bar's own amounts are rounded. Each of several files is
/// a part. Without its name wget is recognized by its first line, `--2026-11-21 22:07:25--  http`.
struct WgetAdapter: OutputAdapter {
    static let name = "wget"

    static func recognizes(_ line: OutputLine) -> Bool {
        var scanner = LineScanner(line)
        guard scanner.take("--"), line.bytes.count > 24, scanner.has("--  ", at: 21) else {
            return false
        }
        scanner.move(to: 25)
        return scanner.find("://") != nil
    }

    private let hasParts: Bool
    private var file: String?
    private var total: Int64?

    /// `Saving to: ‘name’` may have no digit.
    var readsWords: Bool { true }

    init(for command: CommandWords) {
        let addresses = command.arguments.filter { $0.contains("://") }
        let several: Set = ["-r", "--recursive", "-i", "-m", "--mirror", "-p", "--page-requisites"]
        hasParts =
            command.program != "wget" || addresses.count > 1
            || command.arguments.contains {
                several.contains($0) || $0.hasPrefix("--input-file")
            }
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        var scanner = LineScanner(line)
        if scanner.take("Length: ") {
            total = scanner.number()
            return []
        }
        if scanner.take("Saving to: ") {
            guard line.ending != .open else { return [] }
            file = Self.unquoted(scanner.rest).lastPathPart
            return [sample(0)]
        }
        if let saved = scanner.find(" saved [") {
            scanner.move(to: saved + 8)
            guard let completed = scanner.number() else { return [] }
            return [sample(completed, of: completed).done()]
        }
        return bar(line) ?? dots(line)
    }

    /// `name   37%[===>   ] 1.10M  600KB/s`, or `name   [ <=>  ] 1.10M` without a total.
    private func bar(_ line: OutputLine) -> [ProgressSample]? {
        var scanner = LineScanner(line)
        guard let open = line.bytes.lastIndex(of: UInt8(ascii: "[")) else { return nil }
        scanner.move(to: open)
        guard scanner.skip(past: "]") else { return nil }
        scanner.spaces()
        guard let amount = scanner.amount() else { return [] }
        guard let percent = Self.percent(before: open, in: line) else { return [sample(amount)] }
        // Without `Length:`, which -q leaves out, the percentage is all that is known.
        guard let total else { return [.percent(percent, of: hasParts ? file : nil)] }
        return [sample(percent == ProgressSample.wholePercent ? total : amount)]
    }

    /// `  50K .......... ..........  3%  319M 0s`.
    private func dots(_ line: OutputLine) -> [ProgressSample] {
        var scanner = LineScanner(line)
        scanner.spaces()
        guard let start = scanner.amount(), scanner.take(" ."),
            let sign = line.bytes.lastIndex(of: UInt8(ascii: "%")),
            let percent = Self.percent(before: sign + 1, in: line)
        else { return [] }
        guard let total else { return [sample(start)] }
        return [sample(percent == ProgressSample.wholePercent ? total : min(start, total))]
    }

    private func sample(_ completed: Int64, of total: Int64? = nil) -> ProgressSample {
        .amount(completed, of: total ?? self.total, unit: "bytes", part: hasParts ? file : nil)
    }

    /// The percentage that ends at a place; the last dots may touch it: `..........100%`.
    private static func percent(before end: Int, in line: OutputLine) -> Int64? {
        var scanner = LineScanner(line)
        let digits = line.bytes[..<end].dropLast().reversed().prefix(while: Byte.isDigit)
        scanner.move(to: end - 1 - digits.count)
        let percent = scanner.percentage()
        return scanner.position == end ? percent : nil
    }

    /// The text without its quotes, which differ between locales.
    private static func unquoted(_ text: String) -> String {
        let quotes: Set<Character> = ["‘", "’", "'", "\"", "“", "”", "`"]
        var text = text[...]
        while let first = text.first, quotes.contains(first) { text.removeFirst() }
        while let last = text.last, quotes.contains(last) { text.removeLast() }
        return String(text)
    }
}
