/// Finds the one percentage or count in a program's output that rises.
///
/// Ordinary output is full of numbers: dates, versions, `100% cotton`, `Copyright 2015/2016`. So a
/// number is followed only where the same words come before it, line after line, and when it has
/// risen there twice; a count must also have the same total each time. From then on lines that begin
/// with these words are read and no others. What falls, or is in another place, is no progress.
struct RisingNumbers {
    /// What was seen in one place of the lines.
    private struct Candidate {
        /// The words before the number, without digits, spaces and what bars are made of.
        var manner: UInt64
        var isCount: Bool
        var completed: Int64
        var total: Int64
        var rises: Int
    }

    private static let needed = 2
    private static let mostCandidates = 8

    private var candidates: [Candidate] = []
    private var chosen: Candidate?

    mutating func read(_ line: OutputLine) -> [Finding] {
        for sight in [PercentAdapter.find(in: line), CountAdapter.find(in: line)] {
            guard let sight else { continue }
            let seen = Candidate(
                manner: Self.manner(of: line.bytes[..<sight.start]),
                isCount: sight.isCount,
                completed: sight.completed,
                total: sight.total,
                rises: 0
            )
            if let chosen {
                if chosen.manner == seen.manner, chosen.isCount == seen.isCount,
                    chosen.total == seen.total
                {
                    return [sight.finding]
                }
            } else if note(seen) {
                return [sight.finding]
            }
        }
        return []
    }

    /// Whether this one has now risen often enough.
    private mutating func note(_ seen: Candidate) -> Bool {
        guard
            let place = candidates.firstIndex(where: {
                $0.manner == seen.manner && $0.isCount == seen.isCount
            })
        else {
            // The oldest goes: a program's progress comes again soon.
            if candidates.count == Self.mostCandidates { candidates.removeFirst() }
            candidates.append(seen)
            return false
        }
        let before = candidates[place]
        if seen.total != before.total || seen.completed < before.completed {
            candidates[place] = seen
            return false
        }
        guard seen.completed > before.completed else { return false }
        candidates[place].completed = seen.completed
        candidates[place].rises += 1
        guard candidates[place].rises >= Self.needed else { return false }
        chosen = candidates[place]
        candidates = []
        return true
    }

    /// FNV-1a of the words, as the same words are all that matters.
    private static func manner(of words: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in words where Byte.isLetter(byte) || byte == UInt8(ascii: ":") {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return hash
    }
}

/// A number that may be progress, and where in its line.
struct NumberSight {
    var start: Int
    var completed: Int64
    var total: Int64
    var isCount: Bool

    var finding: Finding { isCount ? .amount(completed, of: total) : .percent(completed) }
}
