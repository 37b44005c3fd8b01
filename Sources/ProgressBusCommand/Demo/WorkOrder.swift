import Essentials

/// A worker's list of files and what it has found out so far, in a folder of its own.
struct WorkOrder: Sendable {
    /// What became of a file.
    enum Outcome {
        case sum(String, bytes: Int)
        case leftOut(reason: String)
    }

    let files: [DemoFile]
    let folder: URL
    private var outcomes: URL { folder.appendingPathComponent("outcomes") }

    /// Writes a list for a worker.
    init(_ files: [DemoFile], in folder: URL) throws {
        self.files = files
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(files).write(to: folder.appendingPathComponent("files"))
        try Data().write(to: outcomes)
    }

    /// Reads the list that a worker was given.
    init(in folder: URL) throws {
        let list = try Data(contentsOf: folder.appendingPathComponent("files"))
        files = try JSONDecoder().decode([DemoFile].self, from: list)
        self.folder = folder
    }

    /// For the worker to append the outcome of each file, in order.
    func writer() throws -> OpenFile { try OpenFile(appendingTo: outcomes.path) }

    static func line(_ outcome: Outcome) -> String {
        switch outcome {
        case .sum(let digest, let bytes): "\(digest) \(bytes)\n"
        case .leftOut(let reason): "- \(reason)\n"
        }
    }

    /// The outcomes that a worker has written, one a file; what it was writing when it died is none.
    func readOutcomes() -> [Outcome] {
        let text = (try? Data(contentsOf: outcomes)).map { String(decoding: $0, as: UTF8.self) }
        let lines = (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let bytes = Int(parts[1]) else {
                return .leftOut(reason: String(line.dropFirst(2)))
            }
            return .sum(String(parts[0]), bytes: bytes)
        }
    }
}
