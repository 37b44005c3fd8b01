/// Keeps the last lines that a command has printed, which may tell why it failed.
package struct LastLines: Sendable {
    package static let mostLines = 20
    package static let mostBytes = 4_096
    /// Bytes of raw output to keep, in which there may be colours and bars.
    private static let kept = 16_384

    private var bytes: [UInt8] = []
    private var isCut = false

    package init() {}

    package mutating func take(_ new: UnsafeRawBufferPointer) {
        isCut = isCut || new.count > Self.kept
        bytes += new.suffix(Self.kept)
        guard bytes.count > 2 * Self.kept else { return }
        isCut = true
        bytes.removeFirst(bytes.count - Self.kept)
    }

    /// The last lines, without control characters, empty lines, overwritten lines, and keys like
    /// `^C`.
    package func lines() -> [String] {
        var terminal = TerminalLines()
        if isCut { terminal.skip() }
        var lines: [String] = []
        func take(_ line: OutputLine) {
            let text = LineScanner(line).rest
            let isKey = text.utf8.count == 2 && text.hasPrefix("^")
            if line.ending == .newline, !text.isEmpty, !isKey { lines.append(text) }
        }
        bytes.withUnsafeBytes { terminal.read($0, into: take) }
        terminal.finish(into: take)
        lines = lines.suffix(Self.mostLines)
        while lines.reduce(0, { $0 + $1.utf8.count + 1 }) > Self.mostBytes { lines.removeFirst() }
        return lines
    }
}
