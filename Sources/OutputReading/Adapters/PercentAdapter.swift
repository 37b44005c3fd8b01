/// Any program that prints percentages: `37 %`, `37.5%`, `[==>   ] 37%`.
///
/// The last percentage of a line counts, if it stands by itself: from 0 to 100, no letter, digit,
/// point or sign before it, no letter or digit behind it. `-5%`, `x86%`, `150%`, `3.14.15%`, `%20`
/// and `100%25` are none. Without `--adapter percent`, `RisingNumbers` wants more than that.
struct PercentAdapter: LineAdapter {
    static let name = "percent"
    static let programs: [String] = []

    static func sample(in line: OutputLine) -> ProgressSample? { find(in: line)?.sample }

    /// The last percentage before a place.
    static func find(in line: OutputLine, before end: Int? = nil) -> NumberSight? {
        var scanner = LineScanner(line)
        var sign = end ?? line.bytes.count
        // The search goes from the right, as bars and counts stand before the percentage.
        for _ in 0..<8 {
            guard let place = line.bytes[..<sign].lastIndex(of: UInt8(ascii: "%")) else {
                return nil
            }
            sign = place
            var start = place
            if start > 0, line.bytes[start - 1] == Byte.space { start -= 1 }
            while start > 0, isPartOfNumber(line.bytes[start - 1]) { start -= 1 }
            scanner.move(to: start)
            guard let value = scanner.percentage(), scanner.position == place + 1,
                scanner.next.map({ !isWord($0) }) ?? true
            else { continue }
            let before = start > 0 ? line.bytes[start - 1] : Byte.space
            guard !isWord(before), !isSign(before) else { continue }
            return NumberSight(
                place: start..<(place + 1),
                completed: value,
                total: ProgressSample.wholePercent,
                isCount: false
            )
        }
        return nil
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        Byte.isDigit(byte) || byte == UInt8(ascii: ".")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        Byte.isDigit(byte) || Byte.isLetter(byte) || byte == UInt8(ascii: "_")
    }

    private static func isSign(_ byte: UInt8) -> Bool { Byte.isAny(of: "-+%~<,", byte) }
}
