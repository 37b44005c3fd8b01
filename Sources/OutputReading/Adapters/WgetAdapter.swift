/// `wget`: the bar, the dots, and what it says of the file before and after.
///
/// The total is in the line `Length:`; the bar's own amounts are rounded. With several files each is
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

    /// `Saving to: ‘name’` has no digit in it, perhaps.
    var needs: LineNeed { .nothing }

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
            let path = Self.unquoted(scanner.rest)
            file = path.split(separator: "/").last.map(String.init) ?? path
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
        let percentage = Self.percentage(before: open, in: line)
        if let percentage, total == nil {
            // Without `Length:`, which -q leaves out, the percentage is all that is known.
            return [.percent(Int64(percentage) * 100, of: hasParts ? file : nil)]
        }
        return [sample(percentage == 100 ? total ?? amount : amount)]
    }

    /// `  50K .......... ..........  3%  319M 0s`.
    private func dots(_ line: OutputLine) -> [ProgressSample] {
        var scanner = LineScanner(line)
        scanner.spaces()
        guard let start = scanner.amount(), scanner.take(" ."),
            let sign = line.bytes.lastIndex(of: UInt8(ascii: "%")),
            let percent = Self.percentage(before: sign + 1, in: line)
        else { return [] }
        guard let total else { return [sample(start)] }
        return [sample(percent == 100 ? total : min(start, total))]
    }

    private func sample(_ completed: Int64, of total: Int64? = nil) -> ProgressSample {
        .amount(completed, of: total ?? self.total, unit: "bytes", part: hasParts ? file : nil)
    }

    private static func percentage(before place: Int, in line: OutputLine) -> Int? {
        guard place > 1, line.bytes[place - 1] == UInt8(ascii: "%") else { return nil }
        var value = 0
        var factor = 1
        for byte in line.bytes[..<(place - 1)].reversed().prefix(3) {
            guard Byte.isDigit(byte) else { break }
            value += Int(byte - 0x30) * factor
            factor *= 10
        }
        return value
    }

    /// Without the quotes, which are another character in every locale.
    private static func unquoted(_ text: String) -> String {
        let quotes: Set<Character> = ["‘", "’", "'", "\"", "“", "”", "`"]
        var text = text[...]
        while let first = text.first, quotes.contains(first) { text.removeFirst() }
        while let last = text.last, quotes.contains(last) { text.removeLast() }
        return String(text)
    }
}
