/// Reads a pattern.
struct PatternParser {
    private static let longest = 1_000
    private static let deepest = 20
    private static let mostRepetitions = 100

    private(set) var names: [String] = []
    private let characters: [Character]
    private var position = 0
    private var depth = 0

    init(_ text: String) {
        characters = Array(text)
    }

    mutating func parse() throws(PatternError) -> PatternTree {
        guard !characters.isEmpty else { throw PatternError("it is empty.") }
        guard characters.count <= Self.longest else {
            throw PatternError("it is longer than \(Self.longest) characters.")
        }
        let tree = try alternatives()
        guard position == characters.count else {
            throw PatternError("there is a ) without a ( before it; write \\) for the character.")
        }
        return tree
    }

    private var next: Character? { position < characters.count ? characters[position] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard next == character else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(PatternError) -> PatternTree {
        var all = [try sequence()]
        while take("|") { all.append(try sequence()) }
        return all.count == 1 ? all[0] : .either(all)
    }

    private mutating func sequence() throws(PatternError) -> PatternTree {
        var all: [PatternTree] = []
        while let character = next, character != "|", character != ")" {
            all.append(try repetition())
        }
        return .sequence(all)
    }

    private mutating func repetition() throws(PatternError) -> PatternTree {
        let start = position
        var tree = try atom()
        while let (least, most) = try amount() {
            if case .place = tree {
                throw PatternError("\(characters[start]) cannot be repeated.")
            }
            if next == "+" {
                throw PatternError("repetitions with a + behind them are not understood.")
            }
            let isLazy = take("?")
            tree = .repeated(tree, least: least, most: most, asFewAsPossible: isLazy)
        }
        return tree
    }

    private mutating func amount() throws(PatternError) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        let start = position
        guard take("{"), let least = number() else {
            position = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = number() }
        guard take("}") else {
            position = start
            return nil
        }
        guard least <= most ?? least, max(least, most ?? 0) <= Self.mostRepetitions else {
            throw PatternError("{…} goes from less to more, up to \(Self.mostRepetitions).")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        let start = position
        while let character = next, character.isASCII, character.isNumber { position += 1 }
        return Int(String(characters[start..<position]))
    }

    private mutating func atom() throws(PatternError) -> PatternTree {
        guard let character = next else { throw PatternError("it ends too early.") }
        position += 1
        switch character {
        case ".": return .characters(.any)
        case "^": return .place(.start)
        case "$": return .place(.end)
        case "[": return .characters(try oneOf())
        case "(": return try group()
        case "\\": return try escaped()
        case "*", "+", "?":
            throw PatternError("there is nothing before \(character); write \\\(character) for it.")
        default: return Self.literal(character)
        }
    }

    /// A character as people see it may be several.
    private static func literal(_ character: Character) -> PatternTree {
        let all = character.unicodeScalars.map { scalar in
            PatternTree.characters(CharacterSet(ranges: [scalar.value...scalar.value]))
        }
        return all.count == 1 ? all[0] : .sequence(all)
    }

    private mutating func group() throws(PatternError) -> PatternTree {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw PatternError("its groups are more than \(Self.deepest) deep.")
        }
        var number: Int?
        if take("?") {
            if take("<") || take("P") && take("<") {
                number = try name()
            } else if !take(":") {
                throw PatternError("of groups (…), (?:…) and (?<name>…) are understood.")
            }
        }
        let tree = try alternatives()
        guard take(")") else {
            throw PatternError("there is a ( without a ) behind it; write \\( for the character.")
        }
        return number.map { .group(tree, number: $0) } ?? tree
    }

    private mutating func name() throws(PatternError) -> Int {
        let start = position
        while let character = next, character.isLetter || character.isNumber || character == "_" {
            position += 1
        }
        let name = String(characters[start..<position])
        guard !name.isEmpty, take(">") else {
            throw PatternError("a group's name is letters between < and >.")
        }
        // Alternatives may both have it.
        if let number = names.firstIndex(of: name) { return number }
        names.append(name)
        return names.count - 1
    }

    private mutating func escaped() throws(PatternError) -> PatternTree {
        guard let character = next else {
            throw PatternError("it ends with a \\; write \\\\ for the character.")
        }
        if character == "b" || character == "B" {
            position += 1
            return .place(character == "b" ? .edgeOfWord : .noEdgeOfWord)
        }
        return .characters(try escapedSet())
    }

    private mutating func escapedSet() throws(PatternError) -> CharacterSet {
        guard let character = next else { throw PatternError("it ends with a \\.") }
        position += 1
        switch character {
        case "d": return .digits
        case "w": return .word
        case "s": return .spaces
        case "D": return CharacterSet(ranges: CharacterSet.digits.ranges, isInverted: true)
        case "W": return CharacterSet(ranges: CharacterSet.word.ranges, isInverted: true)
        case "S": return CharacterSet(ranges: CharacterSet.spaces.ranges, isInverted: true)
        case "t": return CharacterSet(ranges: [0x09...0x09])
        default:
            guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
                !character.isLetter, !character.isNumber
            else { throw PatternError("\\\(character) is not understood.") }
            return CharacterSet(ranges: [scalar.value...scalar.value])
        }
    }

    /// `a-z\d]`, after the bracket.
    private mutating func oneOf() throws(PatternError) -> CharacterSet {
        var set = CharacterSet(ranges: [], isInverted: take("^"))
        var isFirst = true
        while let character = next, character != "]" || isFirst {
            isFirst = false
            position += 1
            var low: Unicode.Scalar?
            if character == "\\" {
                let escaped = try escapedSet()
                guard !escaped.isInverted else {
                    throw PatternError("\\D, \\W and \\S are not understood between [ and ].")
                }
                set.ranges += escaped.ranges
                if escaped.ranges.count == 1, escaped.ranges[0].count == 1 {
                    low = Unicode.Scalar(escaped.ranges[0].lowerBound)
                }
            } else {
                low = character.unicodeScalars.first
                set.ranges += character.unicodeScalars.map { $0.value...$0.value }
            }
            guard next == "-", position + 1 < characters.count, characters[position + 1] != "]",
                let low
            else { continue }
            position += 1
            guard let high = next?.unicodeScalars.first, high >= low, high != "\\" else {
                throw PatternError("a range between [ and ] goes from less to more.")
            }
            position += 1
            set.ranges.append(low.value...high.value)
        }
        guard take("]") else {
            throw PatternError("there is a [ without a ] behind it; write \\[ for the character.")
        }
        return set
    }
}
