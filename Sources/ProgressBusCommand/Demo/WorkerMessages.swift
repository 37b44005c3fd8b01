/// What goes to a worker on its standard input: sizes and paths, each ended by a zero byte, then
/// one more zero byte, so that a list cut off by the end of its sender is not taken for a whole.
enum WorkList {
    static func encode(_ files: some Sequence<FileScan.File>) -> [UInt8] {
        var bytes: [UInt8] = []
        for file in files {
            bytes += Array("\(file.size) ".utf8) + file.name.bytes + [0]
        }
        return bytes + [0]
    }

    /// `nil` for anything but a whole list.
    static func decode(_ bytes: [UInt8]) -> [FileScan.File]? {
        var files: [FileScan.File] = []
        for entry in bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
            if entry.isEmpty { return files }
            guard let space = entry.firstIndex(of: UInt8(ascii: " ")),
                let size = Int64(String(decoding: entry[..<space], as: UTF8.self))
            else { return nil }
            files.append(FileScan.File(name: FileName(entry[(space + 1)...]), size: size))
        }
        return nil
    }
}

/// What a worker says on its standard output, a line each; files are named by their place in the
/// worker's list.
enum WorkerMessage: Equatable, Sendable {
    /// The checksum in hexadecimal digits, and how many bytes it is of.
    case sum(file: Int, digest: String, bytes: Int64)
    case leftOut(file: Int, reason: String)
    /// The last line.
    case finished(isComplete: Bool)

    var line: String {
        switch self {
        case .sum(let file, let digest, let bytes): "sum \(file) \(digest) \(bytes)"
        case .leftOut(let file, let reason): "left \(file) \(reason)"
        case .finished(let isComplete): isComplete ? "end" : "cancelled"
        }
    }

    /// `nil` for anything that `line` does not write.
    init?(parsing line: [UInt8]) {
        let parts = String(decoding: line, as: UTF8.self)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("end", 1): self = .finished(isComplete: true)
        case ("cancelled", 1): self = .finished(isComplete: false)
        case ("left", 3):
            guard let file = Int(parts[1]) else { return nil }
            self = .leftOut(file: file, reason: String(parts[2]))
        case ("sum", 3):
            let rest = parts[2].split(separator: " ")
            guard let file = Int(parts[1]), rest.count == 2, rest[0].utf8.count == 64,
                let bytes = Int64(rest[1])
            else { return nil }
            self = .sum(file: file, digest: String(rest[0]), bytes: bytes)
        default: return nil
        }
    }
}
