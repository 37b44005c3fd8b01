/// Follows all ways through a pattern at the same time, as Thompson and Pike do: never more of them
/// than the pattern has steps, the preferred one first.
struct PatternRun {
    private let program: [PatternStep]
    private let beginnings: CharacterSet?
    private let text: [Unicode.Scalar]
    /// What the way at hand has saved; −1 where a group had no part in it.
    private var saved: [Int]
    private var waiting: [Waiting] = []

    /// The ways that stand before the same character.
    private struct Ways {
        var steps: [Int] = []
        /// What each has saved, one behind the other.
        var saved: [Int] = []
        /// Where each step was reached last, so that nothing needs clearing.
        var reached: [Int]
    }

    private enum Waiting {
        case step(Int)
        case restore(slot: Int, Int)
    }

    init(
        program: [PatternStep],
        slots: Int,
        beginnings: CharacterSet?,
        text: [Unicode.Scalar]
    ) {
        self.program = program
        self.beginnings = beginnings
        self.text = text
        saved = Array(repeating: -1, count: slots)
    }

    /// What the first match has saved.
    mutating func firstMatch() -> [Int]? {
        let slots = saved.count
        let nothing = saved
        var current = Ways(reached: Array(repeating: -1, count: program.count))
        var following = current
        var match: [Int]?
        for place in 0...text.count {
            // A match that began before is preferred to one that begins here.
            if match == nil, mayBegin(at: place) {
                saved = nothing
                follow(0, at: place, in: &current)
            }
            for (number, step) in current.steps.enumerated() {
                let own = (number * slots)..<((number + 1) * slots)
                guard case .characters(let set) = program[step] else {
                    match = Array(current.saved[own])
                    // The ways behind this one are less preferred.
                    break
                }
                guard place < text.count, set.contains(text[place]) else { continue }
                for (slot, index) in own.enumerated() { saved[slot] = current.saved[index] }
                follow(step + 1, at: place + 1, in: &following)
            }
            swap(&current, &following)
            following.steps.removeAll(keepingCapacity: true)
            following.saved.removeAll(keepingCapacity: true)
            if current.steps.isEmpty, match != nil { break }
        }
        return match
    }

    private func mayBegin(at place: Int) -> Bool {
        guard let beginnings else { return true }
        return place < text.count && beginnings.contains(text[place])
    }

    /// Everything that can be reached without a character.
    private mutating func follow(_ first: Int, at place: Int, in ways: inout Ways) {
        // Its own stack: a pattern of 500 steps in a row is no reason for 500 calls.
        waiting.append(.step(first))
        while let next = waiting.popLast() {
            switch next {
            case .restore(let slot, let value): saved[slot] = value
            case .step(let step):
                guard ways.reached[step] != place else { continue }
                ways.reached[step] = place
                switch program[step] {
                case .jump(let next): waiting.append(.step(next))
                case .split(let first, let second):
                    waiting.append(.step(second))
                    waiting.append(.step(first))
                case .save(let slot):
                    waiting.append(.restore(slot: slot, saved[slot]))
                    waiting.append(.step(step + 1))
                    saved[slot] = place
                case .place(let wanted):
                    if isThere(wanted, at: place) { waiting.append(.step(step + 1)) }
                case .characters, .match:
                    ways.steps.append(step)
                    ways.saved += saved
                }
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
