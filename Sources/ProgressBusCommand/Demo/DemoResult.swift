/// What the workers have found out, put together.
struct DemoResult {
    /// A worker that did not end as it should have.
    struct Casualty: Equatable {
        var number: Int
        var trouble: String
        var notDone: [FileName]
    }

    /// Lines of the checksum file, in the order of the names.
    private(set) var lines: [UInt8] = []
    private(set) var fileCount = 0
    private(set) var byteCount: Int64 = 0
    private(set) var leftOut: [FileScan.LeftOut]
    private(set) var casualties: [Casualty] = []

    /// Every file that is not in the result, a line each, with the reason.
    var namesWithoutChecksum: [String] {
        leftOut.map { "left out: \($0.name.text): \($0.reason)" }
            + casualties.flatMap { casualty in
                casualty.notDone.map { "not done: \($0.text) (worker \(casualty.number))" }
            }
    }

    /// - Parameters:
    ///   - files: All files that were handed out, in the order of their names.
    ///   - leftOut: What the scan could not look at.
    ///   - plan: Which worker got which files.
    ///   - outcomes: What the workers said, in the order of the plan.
    init(
        files: [FileScan.File],
        leftOut: [FileScan.LeftOut],
        plan: WorkPlan,
        outcomes: [WorkerPool.Outcome]
    ) {
        self.leftOut = leftOut
        var digests: [String?] = Array(repeating: nil, count: files.count)
        for (worker, outcome) in outcomes.enumerated() {
            let list = plan.lists[worker]
            var isOpen = Array(repeating: true, count: list.count)
            for message in outcome.messages {
                switch message {
                case .sum(let place, let digest, let bytes) where list.indices.contains(place):
                    digests[list[place]] = digest
                    byteCount += bytes
                    isOpen[place] = false
                case .leftOut(let place, let reason) where list.indices.contains(place):
                    self.leftOut.append(.init(name: files[list[place]].name, reason: reason))
                    isOpen[place] = false
                default: break
                }
            }
            let notDone = list.indices.filter { isOpen[$0] }.map { files[list[$0]].name }
            guard outcome.trouble != nil || !notDone.isEmpty else { continue }
            casualties.append(
                Casualty(
                    number: worker + 1,
                    trouble: outcome.trouble ?? "was asked to stop",
                    notDone: notDone
                )
            )
        }
        self.leftOut.sort { $0.name < $1.name }
        for (file, digest) in zip(files, digests) {
            guard let digest else { continue }
            fileCount += 1
            lines += ChecksumFile.line(digest: digest, name: file.name)
        }
    }
}
