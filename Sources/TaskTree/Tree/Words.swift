/// The rare part of what is known about one name: its texts.
///
/// The tree has what they lack: `ProgressTree.described(_:)` puts a description together.
struct Words: Sendable {
    private var said = Apart<Sayings>()
    fileprivate var seldom: SeldomDescribed?
    fileprivate var parentIndex: UInt32 = 0
    fileprivate var title = TextPool.Place.empty
    fileprivate var begun = 0.0

    /// What few of very many tasks have at a time.
    private struct Sayings {
        var detail = ""
        var detailedVersion: UInt64 = 0
        var reason = ""
        var conclusionReason = ""
    }

    var detail: String {
        get { said.read(\.detail) ?? "" }
        set { say(\.detail, newValue) }
    }

    var detailedVersion: UInt64 {
        get { said.read(\.detailedVersion) ?? 0 }
        set { say(\.detailedVersion, newValue) }
    }

    /// Given with the last stated ending.
    var reason: String {
        get { said.read(\.reason) ?? "" }
        set { say(\.reason, newValue) }
    }

    /// Given with the broker's conclusion.
    var conclusionReason: String {
        get { said.read(\.conclusionReason) ?? "" }
        set { say(\.conclusionReason, newValue) }
    }

    var expectedChildren: Int64 { seldom?.expectedChildren ?? 0 }
    var expectedGap: Double? { seldom?.expectedGap }

    private mutating func say<Value: Equatable>(
        _ field: WritableKeyPath<Sayings, Value>,
        _ value: Value
    ) {
        guard !said.isEmpty || value != Sayings()[keyPath: field] else { return }
        said.change(from: Sayings()) { $0[keyPath: field] = value }
    }
}

extension ProgressTree {
    /// What is kept of a description; `nil` if there is none.
    func described(_ slot: Slot) -> StoredDescription? {
        let facts = nodes[slot].facts
        guard facts.contains(.given) else { return nil }
        let words = words[Int(slot)]
        return StoredDescription(
            seldom: words.seldom,
            parentIndex: words.parentIndex,
            title: words.title,
            facts: facts,
            begun: words.begun
        )
    }

    /// Keeps this of a description, or nothing.
    mutating func keep(_ description: StoredDescription?, for slot: Slot) {
        nodes[slot].facts = description?.facts ?? []
        words[Int(slot)].seldom = description?.seldom
        words[Int(slot)].parentIndex = description?.parentIndex ?? 0
        words[Int(slot)].title = description?.title ?? .empty
        words[Int(slot)].begun = description?.begun ?? 0
    }
}
