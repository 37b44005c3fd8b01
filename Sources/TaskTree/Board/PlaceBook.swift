/// Small numbers from 0 for the children of a parent or the tasks of a job: lowest free first.
///
/// One bit per number, and only where some are taken, so that a far claim costs no more than a
/// near one. `assign` looks from the lowest number that may be free.
package struct PlaceBook: Sendable {
    /// Numbers from here on cannot be claimed; they can still be assigned one after another.
    package static let claimLimit = 1 << 30

    /// Taken numbers, 64 to a word; words without any are left out.
    private var words: [Int: UInt64] = [:]
    /// All words before this one are full.
    private var firstOpenWord = 0

    package init() {}

    /// Takes the lowest free place.
    package mutating func assign() -> Int {
        while words[firstOpenWord] == .max { firstOpenWord += 1 }
        let taken = words[firstOpenWord] ?? 0
        let bit = (~taken).trailingZeroBitCount
        words[firstOpenWord] = taken | 1 << UInt64(bit)
        return firstOpenWord * 64 + bit
    }

    /// Takes this place, unless it is taken, negative or beyond `claimLimit`.
    package mutating func claim(_ place: Int) -> Bool {
        guard place >= 0, place < Self.claimLimit, !isTaken(place) else { return false }
        words[place / 64, default: 0] |= 1 << UInt64(place % 64)
        return true
    }

    /// Frees a place; nothing happens to one that is free.
    package mutating func release(_ place: Int) {
        guard isTaken(place), let taken = words[place / 64] else { return }
        let left = taken & ~(1 << UInt64(place % 64))
        words[place / 64] = left == 0 ? nil : left
        firstOpenWord = min(firstOpenWord, place / 64)
    }

    /// Whether somebody has this place.
    package func isTaken(_ place: Int) -> Bool {
        guard place >= 0, let taken = words[place / 64] else { return false }
        return taken & (1 << UInt64(place % 64)) != 0
    }
}
