/// A regular expression that takes time in proportion to the text, whatever either of them is.
///
/// The library's own `Regex` goes back and tries again: a pattern that a user wrote without a thought
/// of it, such as `(a+)+b`, then takes years for a line of fifty characters, and the lines come from
/// any program. So all ways through the pattern are followed at the same time here, one character
/// after the other, and what cannot be matched so (`\1`, looking ahead) is refused.
///
/// Understood are: characters, `.`, `[a-z]`, `[^…]`, `\d \w \s \D \W \S \b \B \t`, `^`, `$`, `|`,
/// `(…)`, `(?:…)`, `(?<name>…)`, and `* + ? {2} {2,} {2,5}`, each also with `?` for as few as
/// possible.
struct Pattern: Sendable {
    /// The names of its groups, in the order in which they begin.
    let names: [String]
    private let program: [PatternStep]
    /// What a match begins with; `nil` where it may begin with nothing.
    private let beginnings: CharacterSet?
    /// What every match has in it.
    private let literal: [UInt8]

    init(_ text: String) throws(PatternError) {
        var parser = PatternParser(text)
        let tree = try parser.parse()
        var compiler = PatternCompiler()
        try compiler.add(tree)
        program = compiler.steps + [.match]
        names = parser.names
        beginnings = Self.beginnings(of: program)
        literal = tree.longestLiteral
    }

    /// Whether a line is worth looking for a match: most are not, and this is quick.
    func mayMatch(_ bytes: [UInt8]) -> Bool {
        guard let first = literal.first else { return true }
        guard bytes.count >= literal.count else { return false }
        return (0...(bytes.count - literal.count)).contains { place in
            bytes[place] == first && literal.indices.allSatisfy { bytes[place + $0] == literal[$0] }
        }
    }

    /// Where the named groups are in the first match.
    func firstMatch(in text: [Unicode.Scalar]) -> [String: Range<Int>]? {
        var run = PatternRun(
            program: program,
            slots: names.count * 2,
            beginnings: beginnings,
            text: text
        )
        guard let slots = run.firstMatch() else { return nil }
        var match: [String: Range<Int>] = [:]
        for (number, name) in names.enumerated() {
            let start = slots[number * 2]
            let end = slots[number * 2 + 1]
            if start >= 0, end >= start { match[name] = start..<end }
        }
        return match
    }

    private static func beginnings(of program: [PatternStep]) -> CharacterSet? {
        var ranges: [ClosedRange<UInt32>] = []
        var seen: Set<Int> = []
        var waiting = [0]
        while let step = waiting.popLast() {
            guard seen.insert(step).inserted else { continue }
            switch program[step] {
            case .jump(let next): waiting.append(next)
            case .split(let first, let second): waiting += [first, second]
            case .save, .place: waiting.append(step + 1)
            case .match: return nil
            case .characters(let set):
                guard !set.isInverted else { return nil }
                ranges += set.ranges
            }
        }
        return CharacterSet(ranges: ranges)
    }
}
