/// A pattern of the user's own: `{completed} of {total} {unit}`.
///
/// A name in braces matches a value of that kind, a space one or more spaces, and any other text
/// itself. The first match in the first 1,000 bytes of a line counts. Amounts may have commas
/// between thousands, percentages a point. A unit or part is a word; a detail reaches to what
/// follows it in the pattern, or to the end of the line.
struct PatternAdapter: OutputAdapter {
    static let name = "pattern"
    static let programs: [String] = []
    private static let longest = 1_000

    private enum Field: String, CaseIterable {
        case percent, completed, total, unit, detail, part
    }

    private enum Element {
        case literal([UInt8])
        case field(Field)
    }

    private var elements: [Element] = []

    init(for command: CommandWords) {}

    init(_ text: String) throws(AdapterError) {
        func refusal(_ why: String) -> AdapterError { .badPattern(text, why: why) }
        let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        var rest = text[...]
        var known: Set<Field> = []
        while let first = rest.first {
            guard first == "{" else {
                let literal = rest.prefix { $0 != "{" }
                elements.append(.literal(Self.singleSpaced(literal)))
                rest = rest[literal.endIndex...]
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw refusal("a { has no }; write one of \(names).")
            }
            let name = String(rest[rest.index(after: rest.startIndex)..<end])
            guard let field = Field(rawValue: name) else {
                throw refusal("there is no {\(name)}; there are \(names).")
            }
            guard known.insert(field).inserted else {
                throw refusal("{\(name)} is in it twice; write it once.")
            }
            if case .field(let former)? = elements.last {
                throw refusal(
                    "nothing is between {\(former.rawValue)} and {\(name)}; write what stands there."
                )
            }
            elements.append(.field(field))
            rest = rest[rest.index(after: end)...]
        }
        guard !known.isEmpty else {
            throw refusal("it does not say what is what; write \(names) where they stand.")
        }
    }

    var readsWords: Bool { true }

    mutating func read(_ line: OutputLine) -> [ProgressSample] {
        // A match in what has been cut may be another one than in the whole.
        guard line.ending != .open else { return [] }
        var line = line
        line.bytes = Array(line.bytes.prefix(Self.longest))
        for start in line.bytes.indices where mayBegin(at: start, in: line.bytes) {
            switch match(line, from: start) {
            case .found(let sample): return [sample]
            case .notHere: continue
            case .nowhere: return []
            }
        }
        return []
    }

    /// No number and no word is read from its middle on.
    private func mayBegin(at start: Int, in bytes: [UInt8]) -> Bool {
        switch elements.first {
        case .literal(let literal)?: bytes[start] == literal[0]
        case .field(.detail)?: start == 0
        case .field(.unit)?, .field(.part)?:
            bytes[start] != Byte.space && (start == 0 || bytes[start - 1] == Byte.space)
        case .field?:
            Byte.isDigit(bytes[start])
                && (start == 0 || !Byte.isDigit(bytes[start - 1]) && bytes[start - 1] != 0x2e)
        case nil: false
        }
    }

    private enum Match {
        case found(ProgressSample)
        case notHere
        /// What must follow is not in the rest of the line: so nothing further on matches either.
        case nowhere
    }

    private func match(_ line: OutputLine, from start: Int) -> Match {
        var scanner = LineScanner(line)
        scanner.move(to: start)
        var sample = ProgressSample()
        for (place, element) in elements.enumerated() {
            switch element {
            case .literal(let literal):
                guard scanner.take(literal) else { return .notHere }
            case .field(.percent):
                guard let hundredths = scanner.decimal(inPowerOfTen: 2),
                    hundredths <= ProgressSample.wholePercent
                else { return .notHere }
                let percent = ProgressSample.percent(hundredths)
                (sample.completed, sample.total) = (percent.completed, percent.total)
                sample.unit = percent.unit
            case .field(.completed):
                guard let number = scanner.number(grouped: true) else { return .notHere }
                sample.completed = number
            case .field(.total):
                guard let number = scanner.number(grouped: true) else { return .notHere }
                sample.total = number
            case .field(let field):
                let isFollowed = place + 1 < elements.count
                guard let text = text(of: field, before: place + 1, in: &scanner) else {
                    return .notHere
                }
                if isFollowed, scanner.isAtEnd { return .nowhere }
                switch field {
                case .unit: sample.unit = text
                case .part: sample.part = text
                default: sample.detail = text
                }
            }
        }
        return .found(sample)
    }

    /// What stands before the next element, or before the end; `nil` if nothing does.
    private func text(of field: Field, before next: Int, in scanner: inout LineScanner) -> String? {
        let start = scanner.position
        var end = start
        while end < scanner.bytes.count {
            if next < elements.count, case .literal(let literal) = elements[next],
                scanner.has(literal, at: end)
            {
                break
            }
            if field != .detail, scanner.bytes[end] == Byte.space { break }
            end += 1
        }
        guard end > start else { return field == .detail && next == elements.count ? "" : nil }
        scanner.move(to: end)
        return scanner.text(start..<end)
    }

    private static func singleSpaced(_ text: Substring) -> [UInt8] {
        text.utf8.reduce(into: []) { bytes, byte in
            if byte != Byte.space || bytes.last != Byte.space { bytes.append(byte) }
        }
    }
}

extension LineScanner {
    /// Moves behind the literal, in which a space matches one or more spaces.
    fileprivate mutating func take(_ literal: [UInt8]) -> Bool {
        guard has(literal, at: position) else { return false }
        for byte in literal {
            if byte == Byte.space { spaces() } else { move(to: position + 1) }
        }
        return true
    }

    fileprivate func has(_ literal: [UInt8], at place: Int) -> Bool {
        var place = place
        for byte in literal {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
            guard byte == Byte.space else { continue }
            while place < bytes.count, bytes[place] == Byte.space { place += 1 }
        }
        return true
    }
}
