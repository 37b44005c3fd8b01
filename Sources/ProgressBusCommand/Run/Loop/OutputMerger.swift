/// Merges the output of several commands on one descriptor.
///
/// Holds little: while bytes wait to be written, it takes no more, and the commands wait as they
/// would without us. Belongs to one thread.
final class OutputMerger {
    let sink: OutputSink
    /// Whether lines of several commands are kept apart; else bytes pass as they come.
    private let keepsLines: Bool
    /// The longest line, in bytes, that is held back until its end.
    ///
    /// A longer line is passed on as it comes, and the other sources wait until it ends.
    private let limit = 1 << 20
    private static let lineEnd = UInt8(ascii: "\n")
    /// The line that each source has not finished yet, held back.
    private var lines: [Int: [UInt8]] = [:]
    private var pending: [UInt8] = []
    private var written = 0
    /// The source whose long line is just being written.
    private var owner: Int?
    private(set) var isOpen = true

    init(to sink: OutputSink, keepsLines: Bool) {
        self.sink = sink
        self.keepsLines = keepsLines
    }

    var wantsToWrite: Bool { isOpen && !pending.isEmpty }

    /// Whether bytes of this source can be taken now.
    func accepts(_ source: Int) -> Bool {
        isOpen && pending.isEmpty && (owner == nil || owner == source)
    }

    /// Takes bytes of a source; only while `accepts(_:)` is true for it.
    func take(_ bytes: UnsafeRawBufferPointer, from source: Int) {
        guard isOpen else { return }
        guard keepsLines else {
            let count = write(bytes)
            if isOpen { pending += bytes[count...] }
            return
        }
        var line = lines.removeValue(forKey: source) ?? []
        if let end = bytes.lastIndex(of: Self.lineEnd) {
            pending += line + bytes[...end]
            line = Array(bytes[(end + 1)...])
            if owner == source { owner = nil }
        } else {
            line += bytes
        }
        if owner == source || line.count > limit {
            pending += line
            owner = source
        } else if !line.isEmpty {
            lines[source] = line
        }
        write()
    }

    /// Ends a source; only while `accepts(_:)` is true for it.
    ///
    /// A line without an end gets one, so that the next command's output begins a line.
    func finish(_ source: Int) {
        if owner == source {
            owner = nil
            pending.append(Self.lineEnd)
        }
        if let line = lines.removeValue(forKey: source) { pending += line + [Self.lineEnd] }
        write()
    }

    /// Writes as many of the waiting bytes as is possible now.
    func write() {
        guard wantsToWrite else { return }
        written += pending.withUnsafeBytes { bytes in
            write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        }
        guard written == pending.count else { return }
        pending.removeAll(keepingCapacity: pending.capacity <= 1 << 18)
        written = 0
    }

    /// Returns how many bytes were written.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        while count < bytes.count {
            switch sink.write(UnsafeRawBufferPointer(rebasing: bytes[count...])) {
            case .wrote(let more): count += more
            case .full: return count
            case .closed:
                close()
                return 0
            }
        }
        return count
    }

    /// Drops all bytes that wait and takes no more, as when nobody reads any more.
    func close() {
        isOpen = false
        pending = []
        written = 0
        owner = nil
        lines = [:]
    }
}
