extension StatusReport {
    /// In words, where two trees differ in what must outlive a broker; at most `limit` of them.
    ///
    /// Left out is what depends on when a broker saw what: rates, what is shown of a fraction,
    /// stalls. The place of a child that ended well is free after a time, so it is left out too.
    func differences(from other: StatusReport, limit: Int = 5) -> [String] {
        let mine = Dictionary(allTasks.map { ($0.id, $0) }) { first, _ in first }
        let theirs = Dictionary(other.allTasks.map { ($0.id, $0) }) { first, _ in first }
        var words: [String] = []
        if allTasks.count != other.allTasks.count {
            words.append("\(allTasks.count) tasks instead of \(other.allTasks.count)")
        }
        for (id, before) in theirs.sorted(by: { $0.key < $1.key }) {
            guard let now = mine[id] else {
                words.append("\(id) \(before.title) is missing")
                continue
            }
            words += now.differences(from: before)
        }
        for id in mine.keys where theirs[id] == nil {
            words.append("\(id) \(mine[id]?.title ?? "") is new")
        }
        return Array(words.prefix(limit))
    }
}

extension StatusTask {
    func differences(from other: StatusTask) -> [String] {
        var words: [String] = []
        func compare<Value: Equatable>(_ name: String, _ path: KeyPath<StatusTask, Value>) {
            guard self[keyPath: path] != other[keyPath: path] else { return }
            words.append(
                "\(id) \(title): \(name) \(self[keyPath: path]) instead of \(other[keyPath: path])"
            )
        }
        compare("parent", \.parent)
        compare("key", \.key)
        compare("slot", \.slot)
        compare("title", \.title)
        compare("detail", \.detail)
        compare("unit", \.unit)
        compare("style", \.style)
        compare("background", \.background)
        compare("tint", \.tint)
        compare("state", \.state)
        compare("needsAttention", \.needsAttention)
        compare("indeterminate", \.indeterminate)
        compare("fraction", \.fraction)
        compare("completed", \.completed)
        compare("total", \.total)
        compare("totalIsEstimate", \.totalIsEstimate)
        compare("share", \.share)
        compare("attempt", \.attempt)
        compare("reason", \.reason)
        compare("cancellable", \.cancellable)
        compare("pausable", \.pausable)
        compare("consequence", \.consequence)
        compare("host", \.host)
        compare("process", \.process)
        compare("counts", \.counts)
        compare("childrenLeftOut", \.childrenLeftOut)
        if !["succeeded", "cancelled"].contains(state) { compare("place", \.place) }
        compare("startedAt", \.startedAt)
        compare("endedAt", \.endedAt)
        return words
    }
}
