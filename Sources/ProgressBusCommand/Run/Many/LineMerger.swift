/// Brings the lines of many commands together on one descriptor, none mixed with another.
///
/// Holds little: while something waits to be written, nothing more is taken, and the commands wait.
/// A line beyond the limit is passed on as it comes, and the others wait for its end. Belongs to
/// one thread.
final class LineMerger {
    /// The longest line that is held back for its end.
    private let limit: Int
    let sink: OutputSink
    private var lines: [Int: LineBuffer] = [:]
    private var pending: [UInt8] = []
    private var written = 0
    /// The source whose long line is just being written.
    private var owner: Int?
    private(set) var isOpen = true

    init(to sink: OutputSink, limit: Int = 1 << 20) {
        self.sink = sink
        self.limit = limit
    }

    var wantsToWrite: Bool { isOpen && !pending.isEmpty }

    /// Whether bytes of this source can be taken now.
    func accepts(_ source: Int) -> Bool {
        pending.isEmpty && (owner == nil || owner == source)
    }

    /// Takes bytes of a source; only if it accepts them.
    func take(_ bytes: UnsafeRawBufferPointer, from source: Int) {
        guard isOpen else { return }
        var line = lines[source] ?? LineBuffer()
        pending += line.take(bytes)
        if !pending.isEmpty, owner == source { owner = nil }
        if owner == source || line.count > limit {
            pending += line.takeRest()
            owner = source
        }
        lines[source] = line.count == 0 ? nil : line
        write()
    }

    /// A source has ended; only if bytes of it would be accepted.
    func finish(_ source: Int) {
        if owner == source {
            owner = nil
            pending.append(UInt8(ascii: "\n"))
        }
        if var line = lines.removeValue(forKey: source) { pending += line.finish() }
        write()
    }

    func write() {
        while wantsToWrite {
            let outcome = pending.withUnsafeBytes {
                sink.write(UnsafeRawBufferPointer(rebasing: $0[written...]))
            }
            switch outcome {
            case .wrote(let count):
                written += count
                guard written == pending.count else { continue }
                pending.removeAll(keepingCapacity: pending.capacity <= 1 << 18)
                written = 0
            case .full:
                return
            case .closed:
                close()
            }
        }
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
