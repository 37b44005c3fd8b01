/// Any program that counts: `12/345`, `[12/345]`, `(12/345)`, `12 of 345`.
///
/// It reads the first count of a line that stands by itself: the total is at least two and no less
/// than what is done; no letter, digit, point, slash or hyphen is on either side. `HTTP/1.1`,
/// `1/1`, `12/31/2024`, `/usr/2/3`, `v1/2` and `2016/2015` are none. Without `--adapter count`,
/// `RisingNumbers` wants more than that.
struct CountAdapter: LineAdapter {
    static let name = "count"
    static let programs: [String] = []

    static func sample(in line: OutputLine) -> ProgressSample? { find(in: line)?.sample }

    /// The first count from a place on.
    static func find(in line: OutputLine, from place: Int = 0) -> NumberSight? {
        var scanner = LineScanner(line)
        scanner.move(to: place)
        while true {
            scanner.skip { !Byte.isDigit($0) }
            if scanner.isAtEnd { return nil }
            let start = scanner.position
            if !isClose(scanner.previous), let count = count(&scanner), endsWord(scanner) {
                return NumberSight(
                    place: start..<scanner.position,
                    completed: count.completed,
                    total: count.total,
                    isCount: true
                )
            }
            // The rest of this word cannot begin a count.
            if scanner.position == start { scanner.move(to: start + 1) }
            scanner.skip(while: isClose)
        }
    }

    /// `12/345` or `12 of 345`.
    static func count(_ scanner: inout LineScanner) -> (completed: Int64, total: Int64)? {
        scanner.found { scanner in
            guard let completed = scanner.number(),
                scanner.take("/") || scanner.take(" of ") || scanner.take(" / "),
                let total = scanner.number(), total >= 2, completed <= total
            else { return nil }
            return (completed, total)
        }
    }

    /// Whether a word ends here, perhaps as the end of a sentence.
    private static func endsWord(_ scanner: LineScanner) -> Bool {
        switch scanner.next {
        case UInt8(ascii: "."), UInt8(ascii: ":"):
            scanner.byte(after: 1).map { $0 == Byte.space } ?? true
        default: !isClose(scanner.next)
        }
    }

    private static func isClose(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return Byte.isDigit(byte) || Byte.isLetter(byte) || Byte.isAny(of: "/.-_%:#", byte)
    }
}
