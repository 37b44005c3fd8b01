import ProcessControl

/// Cuts standard input into arguments.
struct ArgumentSplitter: Sendable {
    /// More than any system takes for one argument; what is longer fails when it is used.
    private static let limit = 262_144

    private let end: UInt8
    private var rest: [UInt8] = []

    /// - Parameter isNulSeparated: Otherwise they are lines, and empty ones are none.
    init(isNulSeparated: Bool) {
        end = isNulSeparated ? 0 : UInt8(ascii: "\n")
    }

    mutating func feed(_ bytes: some Collection<UInt8>) -> [SystemString] {
        var arguments: [SystemString] = []
        for byte in bytes {
            if byte == end {
                take().map { arguments.append($0) }
            } else if rest.count < Self.limit {
                rest.append(byte)
            }
        }
        return arguments
    }

    /// The last one, if nothing has ended it.
    mutating func finish() -> SystemString? {
        rest.isEmpty ? nil : take()
    }

    private mutating func take() -> SystemString? {
        defer { rest = [] }
        return rest.isEmpty && end != 0 ? nil : SystemString(bytes: rest)
    }
}
