/// The sessions and indices of the ids that begin with a text.
///
/// Such ids are found among very many by comparing numbers, without writing each as text.
package struct TaskIDPrefix: Sendable {
    package let sessions: ClosedRange<UInt64>
    /// From low to high, without overlaps.
    package let indices: [ClosedRange<UInt64>]

    private static let sessionDigits = 13
    private static let indexDigits = 13

    /// `nil` if no id begins like this.
    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "-"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let digits = parts.first, let first = digits.first, first != UInt8(ascii: "0"),
            digits.count <= Self.indexDigits, let number = Self.number(digits, radix: 36)
        else { return nil }
        guard parts.count == 2 else {
            sessions = 0...UInt64.max
            indices = Self.indices(beginningWith: number, digits: digits.count)
            return
        }
        guard let sessions = Self.sessions(beginningWith: parts[1]) else { return nil }
        self.sessions = sessions
        indices = [number...number]
    }

    /// The number itself, and those with one digit more, with two, and so on.
    private static func indices(
        beginningWith number: UInt64,
        digits: Int
    ) -> [ClosedRange<UInt64>] {
        var ranges = [number...number]
        var (low, width) = (number, UInt64(1))
        for _ in digits..<indexDigits {
            let (next, isBeyond) = low.multipliedReportingOverflow(by: 36)
            guard !isBeyond else { break }
            (low, width) = (next, width * 36)
            let (end, isCut) = low.addingReportingOverflow(width - 1)
            ranges.append(low...(isCut ? .max : end))
        }
        return ranges
    }

    /// The letters are the highest bits; the first of thirteen stands for four bits, others for
    /// five.
    private static func sessions(
        beginningWith letters: some Collection<UInt8>
    ) -> ClosedRange<UInt64>? {
        guard letters.count <= sessionDigits, let number = number(letters, radix: 32) else {
            return nil
        }
        let missing = 5 * (sessionDigits - letters.count)
        let low = number << UInt64(missing)
        guard low >> UInt64(missing) == number else { return nil }
        return low...(low | ~(UInt64.max << UInt64(missing)))
    }

    /// 0 without a digit; `nil` where another character is among them.
    private static func number(
        _ digits: some Collection<UInt8>,
        radix: UInt64
    ) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            guard value < radix else { return nil }
            let (product, isBeyond) = number.multipliedReportingOverflow(by: radix)
            let (sum, isAbove) = product.addingReportingOverflow(UInt64(value))
            guard !isBeyond, !isAbove else { return nil }
            number = sum
        }
        return number
    }
}
