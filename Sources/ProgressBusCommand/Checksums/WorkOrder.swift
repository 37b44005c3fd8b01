import Essentials

/// A worker's list of files and what it has found out so far, in a folder of its own.
struct WorkOrder: Sendable {
    /// The prefix of the outcome of a file without a checksum.
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

    /// The path of the outcomes, a line for each of `files`: its checksum, or why it has none.
    var outcomes: String { folder.appendingPathComponent("outcomes").path }

    /// The complete lines of the outcomes file, without one that a dead worker left unfinished.
    func readOutcomes() -> [Substring] {
        let bytes = FileManager.default.contents(atPath: outcomes) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// Divides files among workers, the largest first, each to the one with the least work so far.
    static func divide(_ files: [RegularFile], among workers: Int) -> [[RegularFile]] {
        /// The cost of opening and closing a file, in bytes that could be read in that time.
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
