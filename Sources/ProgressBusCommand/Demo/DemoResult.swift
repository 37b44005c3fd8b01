import DashboardCore

/// What the workers have found out.
struct DemoResult {
    /// By path: the checksums of all files that have one.
    private(set) var sums: [(path: String, digest: String)] = []
    /// Files without a checksum, and why, a line each.
    private(set) var leftOut: [String]
    /// Workers that have not done all their files, a sentence each.
    private(set) var troubles: [String] = []
    private var bytes: Int = 0
    var seconds = 0.0
    var workers = 0

    init(leftOut: [String]) {
        self.leftOut = leftOut
    }

    /// Takes in what a worker has done; `trouble` says how it ended, if not as it should have.
    mutating func add(_ order: WorkOrder, _ number: Int, _ trouble: String?) {
        let outcomes = order.readOutcomes()
        for (file, outcome) in zip(order.files, outcomes) {
            switch outcome {
            case .sum(let digest, let size):
                sums.append((file.path, digest))
                bytes += size
            case .leftOut(let reason): leftOut.append("left out: \(file.path): \(reason)")
            }
        }
        let notDone = order.files.dropFirst(outcomes.count)
        guard !notDone.isEmpty || trouble != nil else { return }
        leftOut += notDone.map { "not done: \($0.path) (worker \(number))" }
        troubles.append(
            "worker \(number) \(trouble ?? "was asked to stop"); "
                + "\(Self.counted(notDone.count, "file")) not done"
        )
    }

    /// All that has no checksum, the troubles, and how much was done how fast.
    var summary: [String] {
        var text =
            "\(Self.counted(sums.count, "file")), \(HumanNumbers.bytes(Double(bytes)))"
            + " in \((seconds * 100).rounded() / 100) s"
        if workers > 0 {
            let rate = HumanNumbers.bytes(Double(bytes) / max(seconds, 0.001))
            text += " by \(workers == 1 ? "1 process" : "\(workers) processes") (\(rate)/s)"
        }
        if !leftOut.isEmpty { text += "; \(HumanNumbers.grouped(Int64(leftOut.count))) left out" }
        return leftOut.sorted().map(PlainText.clean) + troubles + [text]
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(HumanNumbers.grouped(Int64(count))) \(noun)\(count == 1 ? "" : "s")"
    }
}
