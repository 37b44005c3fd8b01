import ProcessControl

/// Cuts standard input into arguments.
struct ArgumentSplitter: Sendable {
    /// The most bytes of an argument that are kept.
    ///
    /// Linux with pages of 4 KiB takes fewer than 131,072, so a longer one fails when it is used.
    private static let limit = 262_144

    private let end: UInt8
    private var rest: [UInt8] = []

    /// - Parameter isNulSeparated: If false, arguments are lines, and empty lines are skipped.
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

    /// The last argument, if no separator has ended it.
    mutating func finish() -> SystemString? {
        rest.isEmpty ? nil : take()
    }

    private mutating func take() -> SystemString? {
        defer { rest = [] }
        return rest.isEmpty && end != 0 ? nil : SystemString(bytes: rest)
    }
}
