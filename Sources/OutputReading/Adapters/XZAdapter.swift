/// `xz -v`: ` 15.6 %   0.4 MiB / 1.2 MiB = 0.281`.
///
/// `words.txt (1/3)` before it says how many files there are; if there are several, each is a part.
/// Without its name xz is recognized by percentage, both amounts and their ratio.
struct XZAdapter: OutputAdapter {
    static let name = "xz"
    static let programs = ["xz", "unxz", "xzcat", "lzma", "unlzma"]

    static func recognizes(_ line: OutputLine) -> Bool { percent(in: line) != nil }

    private var file: String?

    init(for command: CommandWords) {}

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        if let percent = Self.percent(in: line) {
            return [
                .percent(percent, of: file).done(percent == ProgressSample.wholePercent)
            ]
        }
        return header(line)
    }

    private mutating func header(_ line: OutputLine) -> [ProgressSample] {
        guard line.ending != .open, line.bytes.last == UInt8(ascii: ")"),
            let open = line.bytes.lastIndex(of: UInt8(ascii: "("))
        else { return [] }
        var scanner = LineScanner(line)
        let name = scanner.text(0..<open)
        scanner.move(to: open + 1)
        guard let count = CountAdapter.count(&scanner), let all = Int(exactly: count.total) else {
            return []
        }
        var samples: [ProgressSample] = []
        if let file { samples.append(ProgressSample(part: file).done()) }
        file = name
        return samples + [.parts(all), ProgressSample(part: name)]
    }

    private static func percent(in line: OutputLine) -> Int64? {
        var scanner = LineScanner(line)
        scanner.spaces()
        guard let percent = scanner.percentage(), scanner.spaces(),
            scanner.amount(spaced: true) != nil, scanner.take(" / "),
            scanner.amount(spaced: true) != nil, scanner.take(" = ")
        else { return nil }
        return percent
    }
}
