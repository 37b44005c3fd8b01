/// A set of small numbers whose least and greatest are found at once, however many there are.
///
/// Level 0 has one bit per number; each higher level has one bit per word of 64 bits below that is
/// not empty. Empty words are not stored, so that a great number costs no more than a small one.
struct NumberSet: Sendable {
    /// The words of each level that are not empty; the highest level has only word 0.
    private var levels: [[Int: UInt64]] = []

    var isEmpty: Bool { levels.last?.isEmpty ?? true }

    var min: Int? { first { $0.trailingZeroBitCount } }

    var max: Int? { first { 63 - $0.leadingZeroBitCount } }

    func contains(_ number: Int) -> Bool {
        guard number >= 0, let word = levels.first?[number >> 6] else { return false }
        return word & Self.bit(number) != 0
    }

    /// Puts a number in that is not negative; returns whether it was not there.
    @discardableResult
    mutating func insert(_ number: Int) -> Bool {
        guard number >= 0 else { return false }
        var (number, level) = (number, 0)
        while true {
            if level == levels.count { addLevel() }
            let word = levels[level][number >> 6] ?? 0
            guard word & Self.bit(number) == 0 else { return false }
            levels[level][number >> 6] = word | Self.bit(number)
            // The levels above already have the bit of a word that was not empty.
            guard word == 0, number >> 6 > 0 || level + 1 < levels.count else { return true }
            (number, level) = (number >> 6, level + 1)
        }
    }

    /// Takes a number out; returns whether it was there.
    @discardableResult
    mutating func remove(_ number: Int) -> Bool {
        guard contains(number) else { return false }
        var number = number
        for level in levels.indices {
            let left = (levels[level][number >> 6] ?? 0) & ~Self.bit(number)
            levels[level][number >> 6] = left == 0 ? nil : left
            guard left == 0 else { break }
            number >>= 6
        }
        return true
    }

    /// The nearest number in the set above the given one, or below it if `backwards`.
    func next(to number: Int, backwards: Bool) -> Int? {
        guard number >= 0 else { return backwards ? nil : min }
        if backwards, let max, max < number { return max }
        var number = number
        for level in levels.indices {
            let word = levels[level][number >> 6] ?? 0
            if let bit = word.bit(next: number & 63, backwards: backwards) {
                return levels[..<level].reversed().reduce((number >> 6) << 6 | bit) {
                    above,
                    words in
                    let word = words[above] ?? 0
                    return above << 6
                        | (word.bit(next: backwards ? 64 : -1, backwards: backwards) ?? 0)
                }
            }
            number >>= 6
        }
        return nil
    }

    private mutating func addLevel() {
        levels.append(levels.last?[0] == nil ? [:] : [0: 1])
    }

    /// Descends from the highest level; `bit` chooses the bit to follow in each word.
    private func first(_ bit: (UInt64) -> Int) -> Int? {
        var number = 0
        for level in levels.reversed() {
            guard let word = level[number] else { return nil }
            number = number << 6 | bit(word)
        }
        return levels.isEmpty ? nil : number
    }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }
}

extension UInt64 {
    /// The nearest bit that is set above a bit, or, backwards, below it.
    package func bit(next bit: Int, backwards: Bool) -> Int? {
        let bits = self & (backwards ? ~(~0 << bit) : ~0 << (bit + 1))
        guard bits != 0 else { return nil }
        return backwards ? 63 - bits.leadingZeroBitCount : bits.trailingZeroBitCount
    }
}
