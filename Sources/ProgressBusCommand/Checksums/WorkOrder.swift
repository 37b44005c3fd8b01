import Essentials

/// A worker's list of files and what it has found out so far, in a folder of its own.
struct WorkOrder: Sendable {
    /// What the outcome of a file that has no checksum begins with.
    static let leftOut = "- "

    let files: [RegularFile]
    let folder: URL

    /// Writes a list for a worker.
    init(_ files: [RegularFile], in folder: URL) throws {
        self.files = files
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(files).write(to: folder.appendingPathComponent("files"))
    }

    /// Reads the list that a worker was given.
    init(in folder: URL) throws {
        let list = try Data(contentsOf: folder.appendingPathComponent("files"))
        files = try JSONDecoder().decode([RegularFile].self, from: list)
        self.folder = folder
    }

    /// The file with a line for each of these files, in order: its checksum, or why it has none.
    var outcomes: String { folder.appendingPathComponent("outcomes").path }

    /// The lines that a worker has written; what it was writing when it died is none.
    func readOutcomes() -> [Substring] {
        let bytes = FileManager.default.contents(atPath: outcomes) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// Divides files among workers: the largest first, each to the worker with the least work so far.
    static func divide(_ files: [RegularFile], among workers: Int) -> [[RegularFile]] {
        /// What opening and closing a file costs, in bytes read meanwhile.
        let costPerFile: Int = 32_768
        var lists = [[RegularFile]](repeating: [], count: min(workers, files.count))
        var loads = [Int](repeating: 0, count: lists.count)
        for file in files.sorted(by: { $0.size > $1.size }) {
            guard let least = loads.indices.min(by: { loads[$0] < loads[$1] }) else { break }
            lists[least].append(file)
            loads[least] += file.size + costPerFile
        }
        return lists.map { $0.sorted { $0.path < $1.path } }
    }
}
