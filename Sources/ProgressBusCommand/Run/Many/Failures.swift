/// The failures of a batch, and the exit status for all of its commands.
struct Failures: Sendable {
    /// The most that are listed.
    private static let limit = 1_000

    /// The highest exit status.
    private(set) var status: Int32 = 0
    private(set) var count = 0
    /// How many of them were cancelled.
    private var cancelled = 0
    private var listed: [String] = []

    mutating func add(
        _ title: String,
        status: Int32,
        why: String,
        isCancelled: Bool = false
    ) {
        self.status = max(self.status, status)
        count += 1
        if isCancelled { cancelled += 1 }
        if listed.count < Self.limit { listed.append("\(title): \(why)") }
    }

    /// Raises the exit status for something that concerns the whole batch.
    mutating func raise(to status: Int32) {
        self.status = max(self.status, status)
    }

    /// "2 of 9 failed", "1 of 9 cancelled": the commands that did not succeed.
    func words(of total: Int) -> [String] {
        var words: [String] = []
        if count > cancelled { words.append("\(count - cancelled) of \(total) failed") }
        if cancelled > 0 { words.append("\(cancelled) of \(total) cancelled") }
        return words
    }

    /// The lines for standard error; none if all commands succeeded and no argument is left.
    func lines(of total: Int, left: Int = 0) -> [String] {
        var parts = words(of: total)
        if left > 0 { parts.append("\(left) more not run") }
        guard !parts.isEmpty else { return [] }
        let end = listed.isEmpty ? "" : ":"
        var lines = [parts.joined(separator: ", ") + end] + listed.map { "  " + $0 }
        if count > listed.count { lines.append("  and \(count - listed.count) more") }
        return lines
    }
}
