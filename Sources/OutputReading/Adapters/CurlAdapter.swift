/// `curl`: its meter of twelve columns, and `-#`.
///
/// The total is what the server said, in the meter's rounding; without one only bytes are counted.
/// With several addresses each transfer is a part, named by the end of its address, as curl prints
/// no names. Without its name curl is recognized by all twelve columns.
struct CurlAdapter: OutputAdapter {
    static let name = "curl"

    static func recognizes(_ line: OutputLine) -> Bool { meter(in: line) != nil }

    private let transfers: [String]
    private var current = 0
    private var last: Int64 = 0

    init(for command: CommandWords) {
        let addresses = command.arguments.filter { $0.contains("://") && !$0.hasPrefix("-") }
        transfers =
            command.program == "curl" && addresses.count > 1
            ? addresses.map(\.lastPathPart) : []
    }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        if let meter = Self.meter(in: line) { return place(meter) }
        // `#####   37.5%`: nothing but hashes before the percentage.
        var scanner = LineScanner(line)
        scanner.skip { $0 == UInt8(ascii: "#") }
        scanner.spaces()
        guard let percent = scanner.percentage(), scanner.isAtEnd else { return [] }
        return place(.percent(percent))
    }

    /// Assigns a sample to the part of its transfer; the next transfer begins when the meter goes
    /// back.
    private mutating func place(_ sample: ProgressSample) -> [ProgressSample] {
        guard transfers.indices.contains(current) else { return [sample] }
        var samples: [ProgressSample] = []
        if let completed = sample.completed {
            if completed < last, current + 1 < transfers.count {
                samples.append(ProgressSample(part: transfers[current]).done())
                current += 1
            }
            last = completed
        }
        var sample = sample
        sample.part = transfers[current]
        return samples + [.parts(transfers.count), sample]
    }

    private static func meter(in line: OutputLine) -> ProgressSample? {
        // Every line of the meter has 79 columns.
        guard line.bytes.count >= 70, line.bytes.count <= 100 else { return nil }
        var scanner = LineScanner(line)
        var numbers: [Int64] = []
        for column in 0..<8 {
            scanner.spaces()
            let isAmount = column % 2 == 1 || column == 6
            guard let value = isAmount ? scanner.amount() : scanner.number(), !scanner.isAtEnd
            else { return nil }
            numbers.append(value)
        }
        for _ in 0..<3 {
            scanner.spaces()
            guard let time = scanner.word(), isTime(time) else { return nil }
        }
        // Before curl knows anything it prints a total of 0.
        let total = numbers[1]
        let (completed, tooMuch) = numbers[3].addingReportingOverflow(numbers[5])
        guard !tooMuch, numbers[0] <= 100 else { return nil }
        return .amount(completed, of: total > 0 ? total : nil, unit: "bytes")
    }

    /// `0:00:07`, `--:--:--`, but not `2d 03h`, which is more than one word.
    private static func isTime(_ word: String) -> Bool {
        word.utf8.contains(UInt8(ascii: ":"))
            && word.utf8.allSatisfy { Byte.isDigit($0) || Byte.isAny(of: ":-", $0) }
    }
}
