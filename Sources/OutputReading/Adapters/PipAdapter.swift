/// `pip`: every download is a part, `━━━━╺━━━ 30.7/900.8 kB`; its present step is the command's
/// detail.
///
/// pip itself does not know how many packages there will be. Without its name it is recognized by
/// the line that announces a download, with the size at its end.
struct PipAdapter: OutputAdapter {
    static let name = "pip"

    static func recognizes(_ command: CommandWords) -> Bool {
        let digits = command.program.dropFirst(3)
        return command.program.hasPrefix("pip")
            && digits.utf8.allSatisfy { Byte.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    static func recognizes(_ line: OutputLine) -> Bool {
        line.ending == .newline && line.bytes.first == Byte.space && download(in: line) != nil
    }

    private var file: String?

    /// `Collecting name` has no digit.
    var readsWords: Bool { true }

    init(for command: CommandWords) {}

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        if var bar = ThinBar(in: line), bar.title.isEmpty {
            if let amounts = bar.amounts() {
                let isDone = amounts.completed == amounts.total
                return [
                    .amount(amounts.completed, of: amounts.total, unit: "bytes", part: file)
                        .done(isDone)
                ]
            }
            // Newer versions of pip draw this while they install.
            if let count = CountAdapter.count(&bar.scanner), bar.scanner.take(" [") {
                return [.amount(count.completed, of: count.total, unit: "packages")]
            }
            return []
        }
        guard line.ending == .newline else { return [] }
        if let download = Self.download(in: line) {
            file = download
            return [ProgressSample().with(detail: "Downloading \(download)")]
        }
        let scanner = LineScanner(line)
        if scanner.has("Collecting ", at: 0)
            || scanner.has("Installing collected packages: ", at: 0)
            || scanner.has("Building wheel", at: 0)
        {
            return [ProgressSample().with(detail: scanner.rest)]
        }
        return []
    }

    /// `  Downloading tqdm-4.66.5-py3-none-any.whl (78 kB)`.
    private static func download(in line: OutputLine) -> String? {
        var scanner = LineScanner(line)
        scanner.spaces()
        guard scanner.take("Downloading "), let path = scanner.word(), scanner.take(" ("),
            scanner.decimal(inPowerOfTen: 3) != nil, scanner.take(" "),
            let unit = scanner.word(), unit == "kB)" || unit == "MB)" || unit == "bytes)"
        else { return nil }
        return path.lastPathPart
    }
}
