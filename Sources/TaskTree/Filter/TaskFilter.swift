/// What is looked for: words, states, hosts, keys.
///
/// `!` finds the tasks that need attention and the rows that stand for such tasks. `host:NAME` and
/// `key:NAME` search only hosts and keys. A state such as `failed` finds the tasks in that state
/// and, if the state is trouble, the rows that stand for such tasks. All other words form one
/// phrase, searched for in titles, details and keys, as the state's word is too. A task matches if
/// it matches all parts.
package struct TaskFilter: Sendable {
    /// The conditions by the words that rows show.
    private static let conditions = Dictionary(
        uniqueKeysWithValues: TaskCondition.allCases.map { ($0.word, $0) }
    )

    private var wantsTrouble = false
    private var hosts: [Needle] = []
    private var keys: [Needle] = []
    private var states: [(condition: TaskCondition, word: Needle)] = []
    private var phrase: Needle?

    package init(_ text: String) {
        var words: [String] = []
        for word in text.lowercased().split(separator: " ").map(String.init) {
            if word == "!" {
                wantsTrouble = true
            } else if word.hasPrefix("host:") {
                hosts.append(Needle(String(word.dropFirst(5))))
            } else if word.hasPrefix("key:") {
                keys.append(Needle(String(word.dropFirst(4))))
            } else if let condition = Self.conditions[word] {
                states.append((condition, Needle(word)))
            } else {
                words.append(word)
            }
        }
        if !words.isEmpty { phrase = Needle(words.joined(separator: " ")) }
    }

    /// Whether the filter matches every task.
    package var isEmpty: Bool { isOfStates && states.isEmpty && !wantsTrouble }

    /// Whether the filter asks only for states and trouble, which is all that a mosaic cell knows.
    package var isOfStates: Bool { hosts.isEmpty && keys.isEmpty && phrase == nil }

    /// Whether trouble is all it asks for.
    package var isOfTrouble: Bool { wantsTrouble && isOfStates && states.isEmpty }

    /// How many needles the filter searches for in the texts of a task, at most.
    package var looks: Int { hosts.count + keys.count + states.count + (phrase == nil ? 0 : 1) }

    package func matches(_ task: some FilteredTask) -> Bool {
        if wantsTrouble, task.troubled == 0 { return false }
        func says(_ words: Needle) -> Bool {
            words.isIn(task.title) || words.isIn(task.detail) || words.isIn(task.key)
        }
        return hosts.allSatisfy { $0.isIn(task.host) } && keys.allSatisfy { $0.isIn(task.key) }
            && states.allSatisfy { Self.isTask(task, in: $0.condition) || says($0.word) }
            && phrase.map(says) ?? true
    }

    package func matches(_ cell: MosaicCell) -> Bool {
        isOfStates && (!wantsTrouble || cell.needsAttention)
            && states.allSatisfy { $0.condition == cell.condition }
    }

    private static func isTask(_ task: some FilteredTask, in condition: TaskCondition) -> Bool {
        switch condition {
        case task.condition: true
        case .failed: task.counts.failed > 0
        case .lost: task.counts.lost > 0
        case .stalled, .silent: task.haltedBelow > 0
        default: false
        }
    }
}

/// What a filter looks at in a task and in the tasks that it stands for.
///
/// A row stands for all tasks below it, which may have no rows.
package protocol FilteredTask {
    var title: String { get }
    var detail: String { get }
    var key: String { get }
    /// Where it is at work; empty if that is not known.
    var host: String { get }
    var condition: TaskCondition { get }
    var needsAttention: Bool { get }
    /// How many of the tasks that it stands for need attention.
    var attentionBelow: Int { get }
    /// The tasks that it stands for, by state.
    var counts: StateCounts { get }
}

extension FilteredTask {
    /// How many tasks need attention: it and those that it stands for.
    package var troubled: Int { attentionBelow + (needsAttention ? 1 : 0) }

    /// How many of the tasks it stands for need attention and are not failed or lost, at least.
    ///
    /// These are mostly stalled or silent tasks, which `counts` has as running. There may be more,
    /// as not every failed or lost task needs attention.
    package var haltedBelow: Int { max(attentionBelow - counts.failed - counts.lost, 0) }
}
