/// Reads a line from the left to the right, word by word and number by number.
///
/// A number at the end of an open line may go on, so it does not count yet: a bar must not jump to
/// 12 of 3 because the 45 of 345 is still in a pipe. Nothing here traps, whatever the bytes are; a
/// number that does not fit is none. Each call moves on only if it finds what it wants.
struct LineScanner {
    let bytes: [UInt8]
    private(set) var position = 0
    private let isOpen: Bool

    init(_ line: OutputLine) {
        bytes = line.bytes
        isOpen = line.ending == .open
    }

    var isAtEnd: Bool { position >= bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    var previous: UInt8? { position > 0 ? bytes[position - 1] : nil }

    /// All that is left, without spaces around it.
    var rest: String { text(position..<bytes.count) }

    func text(_ range: Range<Int>) -> String {
        var range = range
        while let first = range.first, bytes[first] == Byte.space { range.removeFirst() }
        while let last = range.last, bytes[last] == Byte.space { range.removeLast() }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    mutating func move(to place: Int) {
        position = min(max(place, 0), bytes.count)
    }

    @discardableResult
    mutating func spaces() -> Bool { skip { $0 == Byte.space } }

    /// Moves behind all bytes that meet a condition, and returns whether there is one.
    @discardableResult
    mutating func skip(while isSuch: (UInt8) -> Bool) -> Bool {
        let start = position
        while let byte = next, isSuch(byte) { position += 1 }
        return position > start
    }

    mutating func take(_ literal: StaticString) -> Bool {
        guard has(literal, at: position) else { return false }
        position += literal.utf8CodeUnitCount
        return true
    }

    /// Moves behind the next place of a literal.
    mutating func skip(past literal: StaticString) -> Bool {
        guard let place = find(literal) else { return false }
        position = place + literal.utf8CodeUnitCount
        return true
    }

    /// The next place of a literal.
    func find(_ literal: StaticString) -> Int? {
        let length = literal.utf8CodeUnitCount
        guard bytes.count - position >= length else { return nil }
        return literal.withUTF8Buffer { wanted in
            guard let first = wanted.first else { return nil }
            return (position...(bytes.count - length)).first {
                bytes[$0] == first && has(literal, at: $0)
            }
        }
    }

    func has(_ literal: StaticString, at place: Int) -> Bool {
        guard place >= 0, bytes.count - place >= literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { bytes[place + $0] == wanted[$0] }
        }
    }

    /// Reads a value, and moves on only if there is one.
    mutating func found<Value>(_ read: (inout LineScanner) -> Value?) -> Value? {
        let start = position
        let value = read(&self)
        if value == nil { position = start }
        return value
    }

    /// Like `found`, but a value does not count as long as more of it may come.
    private mutating func whole<Value>(_ read: (inout LineScanner) -> Value?) -> Value? {
        found { scanner in
            let value = read(&scanner)
            return scanner.mayGoOn() ? nil : value
        }
    }

    /// Everything up to the next space.
    mutating func word() -> String? {
        whole { scanner in
            let start = scanner.position
            return scanner.skip { $0 != Byte.space } ? scanner.text(start..<scanner.position) : nil
        }
    }

    /// A whole number; `grouped` ones have commas between thousands.
    mutating func number(grouped: Bool = false) -> Int64? {
        whole { scanner in
            let start = scanner.position
            var value: Int64? = 0
            while let byte = scanner.next,
                Byte.isDigit(byte) || (grouped && byte == UInt8(ascii: ","))
            {
                scanner.position += 1
                guard Byte.isDigit(byte) else { continue }
                value = value?.appending(digit: byte)
            }
            return scanner.position > start ? value : nil
        }
    }

    /// A number with or without a point, times a power of ten: 37.5 in hundredths is 3750.
    ///
    /// Further digits are cut off.
    mutating func decimal(inPowerOfTen places: Int) -> Int64? {
        whole { scanner in
            var value = scanner.number()
            guard value != nil else { return nil }
            var missing = places
            if scanner.next == UInt8(ascii: ".") {
                guard !scanner.mayGoOn(after: 1) else { return nil }
                if scanner.byte(after: 1).map(Byte.isDigit) == true { scanner.position += 1 }
                while let byte = scanner.next, Byte.isDigit(byte) {
                    scanner.position += 1
                    guard missing > 0 else { continue }
                    missing -= 1
                    value = value?.appending(digit: byte)
                }
            }
            for _ in 0..<max(missing, 0) { value = value?.appending(digit: UInt8(ascii: "0")) }
            return value
        }
    }

    /// `37%`, `37.5 %`: in hundredths of a percent, up to 10,000.
    mutating func percentage() -> Int64? {
        found { scanner in
            guard let value = scanner.decimal(inPowerOfTen: 2), value <= 10_000 else { return nil }
            return scanner.take(" %") || scanner.take("%") ? value : nil
        }
    }

    /// An amount in bytes: `1.2M`, `128 KiB`, `3 B`.
    ///
    /// Without an i, K stands for `base`.
    mutating func amount(base: Int64 = 1_024, spaced: Bool = false) -> Int64? {
        whole { scanner in
            // Three digits behind the point are more than any program prints.
            guard let thousandths = scanner.decimal(inPowerOfTen: 3) else { return nil }
            if spaced, scanner.next == Byte.space {
                guard !scanner.mayGoOn(after: 1) else { return nil }
                if scanner.byte(after: 1).flatMap(Self.power) != nil { scanner.position += 1 }
            }
            var factor: Int64 = 1
            if let power = scanner.next.flatMap(Self.power) {
                scanner.position += 1
                if power > 0 {
                    let isBinary = scanner.take("i")
                    for _ in 0..<power { factor *= isBinary ? 1_024 : base }
                    _ = scanner.take("B")
                }
            }
            let product = thousandths.multipliedFullWidth(by: factor)
            guard product.high == 0, product.low <= Int64.max.magnitude else { return nil }
            return Int64(product.low / 1_000)
        }
    }

    /// `01:02:03.45` or `2:03`: in thousandths of a second.
    mutating func time() -> Int64? {
        found { scanner in
            let start = scanner.position
            var seconds: Int64 = 0
            for _ in 0..<3 {
                let part: Int64? = scanner.found { scanner in
                    guard let part = scanner.number(), part < 1_000_000, scanner.take(":") else {
                        return nil
                    }
                    return part
                }
                guard let part else { break }
                seconds = (seconds + part) * 60
            }
            guard scanner.position > start, let rest = scanner.decimal(inPowerOfTen: 3),
                rest < 60_000
            else { return nil }
            return seconds * 1_000 + rest
        }
    }

    func byte(after distance: Int) -> UInt8? {
        let place = position + distance
        return bytes.indices.contains(place) ? bytes[place] : nil
    }

    /// Whether the value before this place reaches the end of an open line, so that more may come.
    private func mayGoOn(after distance: Int = 0) -> Bool {
        isOpen && position + distance >= bytes.count
    }

    private static func power(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "B"): 0
        case UInt8(ascii: "k"), UInt8(ascii: "K"): 1
        case UInt8(ascii: "M"): 2
        case UInt8(ascii: "G"): 3
        case UInt8(ascii: "T"): 4
        case UInt8(ascii: "P"): 5
        default: nil
        }
    }
}

extension Int64 {
    /// The number with one more digit at its end; `nil` if that does not fit.
    fileprivate func appending(digit: UInt8) -> Int64? {
        let (tens, isTooMany) = multipliedReportingOverflow(by: 10)
        let (sum, isTooGreat) = tens.addingReportingOverflow(Int64(digit - 0x30))
        return isTooMany || isTooGreat ? nil : sum
    }
}
