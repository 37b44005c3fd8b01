import ProcessControl

/// What has failed of many commands, and the status for all of them.
struct Failures: Sendable {
    /// The most that are listed.
    private static let limit = 1_000

    /// The highest of all.
    private(set) var status: Int32 = 0
    private(set) var count = 0
    private var listed: [String] = []

    mutating func add(_ argument: SystemString, status: Int32, why: String) {
        self.status = max(self.status, status)
        count += 1
        if listed.count < Self.limit { listed.append("\(argument.text): \(why)") }
    }

    /// Not all were run: what a shell would say of that.
    mutating func raise(to status: Int32) {
        self.status = max(self.status, status)
    }

    /// For standard error, when all have ended; nothing if none has failed.
    func lines(of total: Int) -> [String] {
        guard count > 0 else { return [] }
        var lines = ["\(count) of \(total) failed:"] + listed.map { "  " + $0 }
        if count > listed.count { lines.append("  and \(count - listed.count) more") }
        return lines
    }
}
