/// Follows all ways through a pattern at the same time, as Thompson and Pike do: never more of them
/// than the pattern has steps, the preferred one first.
struct PatternRun {
    private let program: [PatternStep]
    private let slots: Int
    private var text: [Unicode.Scalar] = []

    /// The ways that stand before the same character, each with what it has saved.
    private struct Ways {
        var steps: [Int] = []
        var saved: [[Int]] = []
        var contains: [Bool]
    }

    init(program: [PatternStep], slots: Int) {
        self.program = program
        self.slots = slots
    }

    /// What the first match has saved; −1 where a group had no part in it.
    mutating func firstMatch(in text: [Unicode.Scalar]) -> [Int]? {
        self.text = text
        var current = Ways(contains: Array(repeating: false, count: program.count))
        var following = current
        var match: [Int]?
        for place in 0...text.count {
            // A match that began before is preferred to one that begins here.
            if match == nil {
                follow(0, Array(repeating: -1, count: slots), at: place, in: &current)
            }
            if current.steps.isEmpty, match != nil { break }
            for (step, saved) in zip(current.steps, current.saved) {
                if case .match = program[step] {
                    match = saved
                    // The ways behind this one are less preferred.
                    break
                }
                if case .characters(let set) = program[step], place < text.count,
                    set.contains(text[place])
                {
                    follow(step + 1, saved, at: place + 1, in: &following)
                }
            }
            swap(&current, &following)
            following.steps.removeAll(keepingCapacity: true)
            following.saved.removeAll(keepingCapacity: true)
            for step in following.contains.indices { following.contains[step] = false }
        }
        return match
    }

    /// Everything that can be reached without a character.
    private func follow(_ first: Int, _ saved: [Int], at place: Int, in ways: inout Ways) {
        // Its own stack: a pattern of 500 steps in a row is no reason for 500 calls.
        var waiting = [(first, saved)]
        while let (step, saved) = waiting.popLast() {
            guard !ways.contains[step] else { continue }
            ways.contains[step] = true
            switch program[step] {
            case .jump(let next): waiting.append((next, saved))
            case .split(let first, let second):
                waiting.append((second, saved))
                waiting.append((first, saved))
            case .save(let slot):
                var saved = saved
                saved[slot] = place
                waiting.append((step + 1, saved))
            case .place(let wanted):
                if isThere(wanted, at: place) { waiting.append((step + 1, saved)) }
            case .characters, .match:
                ways.steps.append(step)
                ways.saved.append(saved)
            }
        }
    }

    private func isThere(_ wanted: PatternPlace, at place: Int) -> Bool {
        switch wanted {
        case .start: place == 0
        case .end: place == text.count
        case .edgeOfWord: isWord(place - 1) != isWord(place)
        case .noEdgeOfWord: isWord(place - 1) == isWord(place)
        }
    }

    private func isWord(_ place: Int) -> Bool {
        text.indices.contains(place) && CharacterSet.word.contains(text[place])
    }
}
