/// `dd status=progress`: `2355200 bytes (2.4 MB, 2.2 MiB) copied, 3 s, 767 kB/s`.
///
/// Only the command's arguments tell the total, `bs=` times `count=`; it is an estimate, as the
/// input may end earlier. Without its name dd is recognized by the whole beginning of the line.
struct DDAdapter: OutputAdapter {
    static let name = "dd"

    static func recognizes(_ line: OutputLine) -> Bool { copied(in: line) != nil }

    private let total: Int64?

    init(for command: CommandWords) {
        let value = { (name: String) -> Int64? in
            command.arguments.last { $0.hasPrefix(name) }
                .flatMap { Self.size(String($0.dropFirst(name.count))) }
        }
        if let count = value("count=") {
            let size = value("bs=") ?? value("ibs=") ?? 512
            let (product, tooMuch) = count.multipliedReportingOverflow(by: size)
            total = tooMuch ? nil : product
        } else {
            total = nil
        }
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        guard let bytes = Self.copied(in: line) else { return [] }
        var sample = ProgressSample.amount(bytes, of: total.map { max($0, bytes) }, unit: "bytes")
        sample.totalIsEstimate = total != nil
        return [sample]
    }

    private static func copied(in line: OutputLine) -> Int64? {
        var scanner = LineScanner(line)
        guard let bytes = scanner.number(), scanner.take(" byte"), scanner.find(" copied, ") != nil
        else { return nil }
        return bytes
    }

    /// `100k`, `1M`: binary; `1MB`: decimal.
    private static func size(_ word: String) -> Int64? {
        var scanner = LineScanner(OutputLine(word))
        let isDecimal = word.hasSuffix("B") && !word.hasSuffix("iB")
        guard let size = scanner.amount(base: isDecimal ? 1_000 : 1_024), scanner.isAtEnd else {
            return nil
        }
        return size
    }
}
