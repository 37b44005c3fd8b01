/// Holds back the line that a command is just printing.
struct LineBuffer: Sendable {
    private var rest: [UInt8] = []

    /// How much is held back.
    var count: Int { rest.count }

    /// Takes the next bytes; returns all whole lines, each with its end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            rest += bytes
            return []
        }
        let whole = rest + bytes[...end]
        rest = Array(bytes[(end + 1)...])
        return whole
    }

    /// What is held back, as it is.
    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    /// The last line; one without an end gets it, so that the next command's begins a line.
    mutating func finish() -> [UInt8] {
        rest.isEmpty ? [] : takeRest() + [UInt8(ascii: "\n")]
    }
}
