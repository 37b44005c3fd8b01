/// Cuts a stream of bytes into lines of bounded length.
package struct LineSplitter {
    /// A line without its end, or the news that there was one too long to be kept.
    package enum Line: Equatable, Sendable {
        case line([UInt8])
        case tooLong
    }

    /// The most bytes a line may have.
    package let limit: Int
    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []
    private var isSkipping = false

    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes the next bytes and returns the lines that they complete.
    package mutating func feed(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[..<end])
            lines.append(takeLine())
            bytes = bytes[bytes.index(after: end)...]
        }
        keep(bytes)
        return lines
    }

    /// The last line, if the input ended without a line end.
    package mutating func finish() -> Line? {
        isSkipping || !rest.isEmpty ? takeLine() : nil
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        guard !isSkipping else { return }
        if rest.count + bytes.count > limit {
            isSkipping = true
            rest = []
        } else {
            rest += bytes
        }
    }

    private mutating func takeLine() -> Line {
        defer {
            rest = []
            isSkipping = false
        }
        return isSkipping ? .tooLong : .line(rest)
    }
}
