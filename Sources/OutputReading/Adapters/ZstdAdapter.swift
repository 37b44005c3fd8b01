/// `zstd`: `Read: 4.5 MiB / 8.0 MiB ==> 31%`, and with `-v` `Consumed: 4.50 MiB`.
///
/// The percentage tells how well the data is compressed, not how much of it, so it is ignored. With
/// several files (`Compress: 2/3 files. Current: name`) each is a part. With `-v` zstd says neither
/// names nor totals on the way: the bytes of all files are counted. zstd is recognized by these
/// lines with their arrow.
struct ZstdAdapter: OutputAdapter {
    static let name = "zstd"
    static let programs = ["zstd", "zstdmt", "unzstd", "zstdcat"]

    static func recognizes(_ line: OutputLine) -> Bool {
        let scanner = LineScanner(line)
        return scanner.find("=> ") != nil
            && (scanner.find("Read:") != nil || scanner.find(" - Consumed:") != nil)
    }

    private var file: String?
    private var isVerbose = false
    /// The bytes of files that are done, with `-v`.
    private var before: Int64 = 0

    init(for command: CommandWords) {}

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        var scanner = LineScanner(line)
        if scanner.skip(past: " - Consumed:") {
            isVerbose = true
            return amount(&scanner).map { [verbose($0)] } ?? []
        }
        let samples = currentFile(&scanner)
        guard scanner.skip(past: "Read:") else { return samples + end(line) }
        guard let completed = amount(&scanner) else { return samples }
        scanner.spaces()
        let total = scanner.take("/") ? amount(&scanner) : nil
        return samples + [.amount(completed, of: total, unit: "bytes", part: file)]
    }

    /// `Compress: 2/3 files. Current: name Read: …`.
    private mutating func currentFile(_ scanner: inout LineScanner) -> [ProgressSample] {
        guard scanner.take("Compress: "), let count = CountAdapter.count(&scanner),
            scanner.take(" files. Current: "), let end = scanner.find(" Read:")
        else { return [] }
        let command = ProgressSample.parts(Int(exactly: count.total))
        let name = scanner.text(scanner.position..<end)
        guard name != file else { return [command] }
        let last = file.map { [ProgressSample(part: $0).done()] } ?? []
        file = name
        return last + [command]
    }

    /// `words.txt : 30.76%   (  8.01 MiB =>   2.46 MiB, words.txt.zst)`.
    private mutating func end(_ line: OutputLine) -> [ProgressSample] {
        var scanner = LineScanner(line)
        guard line.ending == .newline, let colon = scanner.find(":") else { return [] }
        let name = scanner.text(0..<colon)
        // The sum of several files has a line of its own.
        guard !name.hasSuffix(" files compressed"), scanner.skip(past: "("),
            let bytes = amount(&scanner), scanner.spaces(), scanner.take("=>")
        else { return [] }
        if isVerbose {
            let sample = verbose(bytes)
            before = sample.completed ?? before
            return [sample]
        }
        guard file == nil || file == name else { return [] }
        return [.amount(bytes, of: bytes, unit: "bytes", part: file).done()]
    }

    private func amount(_ scanner: inout LineScanner) -> Int64? {
        scanner.spaces()
        return scanner.amount(spaced: true)
    }

    private func verbose(_ bytes: Int64) -> ProgressSample {
        let (sum, tooMuch) = before.addingReportingOverflow(bytes)
        return .amount(tooMuch ? nil : sum, unit: "bytes")
    }
}
