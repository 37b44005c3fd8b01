/// Brings what several commands print together on one descriptor.
///
/// Holds little: while something waits to be written, nothing more is taken, and the commands wait,
/// as they would without us. Belongs to one thread.
final class OutputMerger {
    let sink: OutputSink
    /// Whether lines of several commands are kept apart; else bytes pass as they come.
    private let keepsLines: Bool
    /// The longest line that is held back for its end; a longer one is passed on as it comes, and
    /// the others wait for its end.
    private let limit = 1 << 20
    private static let lineEnd = UInt8(ascii: "\n")
    /// The line that each source is just printing, held back.
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

    /// Takes bytes of a source; only if it accepts them.
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

    /// A source has ended; only if bytes of it would be accepted.
    ///
    /// A line without an end gets it, so that the next command's begins a line.
    func finish(_ source: Int) {
        if owner == source {
            owner = nil
            pending.append(Self.lineEnd)
        }
        if let line = lines.removeValue(forKey: source) { pending += line + [Self.lineEnd] }
        write()
    }

    /// Writes what waits, as far as that is possible now.
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

    /// Nobody reads any more.
    func close() {
        isOpen = false
        pending = []
        written = 0
        owner = nil
        lines = [:]
    }
}
