import ProgressBus
import TaskTree

/// What is looked for: words, states, hosts, keys.
///
/// `!` is trouble; `host:NAME` and `key:NAME` look there alone; a state in a word, such as `failed`,
/// finds the tasks in it, and what is above failed and lost ones; what is left is looked for in
/// titles, details and keys. A task matches if it matches all of it.
struct TaskFilter: Equatable, Sendable {
    /// The states by the words that the rows say.
    private static let states = Dictionary(
        uniqueKeysWithValues: TaskCondition.allCases.map { ($0.word, $0) }
    )

    private var wantsTrouble = false
    private var hosts: [String] = []
    private var keys: [String] = []
    private var states: [String] = []
    private var phrase = ""

    init(_ text: String) {
        var words: [String] = []
        for word in text.lowercased().split(separator: " ").map(String.init) {
            if word == "!" {
                wantsTrouble = true
            } else if word.hasPrefix("host:") {
                hosts.append(String(word.dropFirst(5)))
            } else if word.hasPrefix("key:") {
                keys.append(String(word.dropFirst(4)))
            } else if Self.states[word] != nil {
                states.append(word)
            } else {
                words.append(word)
            }
        }
        phrase = words.joined(separator: " ")
    }

    /// Whether it leaves nothing out.
    var isEmpty: Bool { isOfStates && states.isEmpty && !wantsTrouble }

    /// Whether states are all it asks for, which is all that a cell of the mosaic knows.
    var isOfStates: Bool { hosts.isEmpty && keys.isEmpty && phrase.isEmpty }

    /// Whether trouble is all it asks for.
    var isOfTrouble: Bool { wantsTrouble && isOfStates && states.isEmpty }

    func matches(_ row: TaskSnapshot) -> Bool {
        guard !isEmpty else { return true }
        if wantsTrouble, row.troubled == 0 { return false }
        let (key, host) = (row.key.lowercased(), row.process?.host.lowercased() ?? "")
        guard hosts.allSatisfy({ !host.isEmpty && host.contains($0) }),
            keys.allSatisfy({ !key.isEmpty && key.contains($0) })
        else { return false }
        guard !states.isEmpty || !phrase.isEmpty else { return true }
        let texts = [row.title.lowercased(), row.detail.lowercased(), key]
        func says(_ text: String) -> Bool { texts.contains { $0.contains(text) } }
        return (phrase.isEmpty || says(phrase))
            && states.allSatisfy { Self.isTask(row, in: Self.states[$0]) || says($0) }
    }

    func matches(_ cell: MosaicCell) -> Bool {
        isOfStates && (!wantsTrouble || cell.needsAttention)
            && states.allSatisfy { Self.states[$0] == cell.condition }
    }

    /// Trouble is looked for in what is folded too, as far as the row counts it.
    private static func isTask(_ row: TaskSnapshot, in state: TaskCondition?) -> Bool {
        switch state {
        case row.condition: true
        case .failed: row.counts.failed > 0
        case .lost: row.counts.lost > 0
        default: false
        }
    }
}
