import DashboardCore

/// The outcome of checksumming a set of files.
struct ChecksumResult: Sendable {
    /// The files that have a checksum, with the checksum in hexadecimal.
    private(set) var sums: [(file: RegularFile, digest: String)] = []
    /// A line for each file or directory without a checksum, with the reason.
    private(set) var leftOut: [String]
    /// A sentence for each worker that failed or has not done all its files.
    private(set) var troubles: [String] = []
    var seconds = 0.0
    var workers = 0

    /// - Parameter leftOut: The directories that could not be read, with the reason.
    init(leftOut: [String]) {
        self.leftOut = leftOut.map { "left out: " + $0 }
    }

    /// Adds the outcomes of a worker; `trouble` says what went wrong with the worker, if anything.
    mutating func add(_ order: WorkOrder, _ number: Int, _ trouble: String?) {
        let outcomes = order.readOutcomes()
        for (file, outcome) in zip(order.files, outcomes) {
            if outcome.hasPrefix(WorkOrder.leftOut) {
                let reason = outcome.dropFirst(WorkOrder.leftOut.count)
                leftOut.append("left out: \(file.path): \(reason)")
            } else {
                sums.append((file, String(outcome)))
            }
        }
        let notDone = order.files.dropFirst(outcomes.count)
        guard !notDone.isEmpty || trouble != nil else { return }
        leftOut += notDone.map { "not done: \($0.path) (worker \(number))" }
        troubles.append(
            "worker \(number) \(trouble ?? "was asked to stop"); "
                + "\(counted(notDone.count, "file")) not done"
        )
    }

    /// The lines to print: files without a checksum, the troubles, and the amount and speed of the
    /// work.
    var summary: [String] {
        let bytes = Double(sums.reduce(0) { $0 + $1.file.size })
        var text =
            "\(counted(sums.count, "file")), \(HumanNumbers.bytes(bytes))"
            + " in \((seconds * 100).rounded() / 100) s"
        if workers > 0 {
            let rate = HumanNumbers.bytes(bytes / max(seconds, 0.001))
            text += " by \(workers == 1 ? "1 process" : "\(workers) processes") (\(rate)/s)"
        }
        if !leftOut.isEmpty { text += "; \(HumanNumbers.grouped(leftOut.count)) left out" }
        return leftOut.sorted().map(PlainText.clean) + troubles + [text]
    }
}
