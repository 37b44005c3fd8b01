package import TaskTree

/// Proves that a frame is a client's own: 16 random bytes that only it and the broker know.
//
// Stored as two numbers: it is compared for every frame, and copied with every session.
package struct SessionCredential: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    /// Takes the bytes of a frame; `nil` unless there are 16.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == ProtocolLimits.credentialBytes else { return nil }
        (first, second) = bytes.withUnsafeBytes { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    private init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// A credential that nobody can guess, from the system's generator.
    package static func random() -> SessionCredential {
        SessionCredential(first: .random(in: 0...UInt64.max), second: .random(in: 0...UInt64.max))
    }

    /// The 16 bytes, as frames carry them.
    package var bytes: [UInt8] {
        [first, second].flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }
}

extension SessionID {
    /// A public name for a new session, from the system's generator; never 0.
    package static func random() -> SessionID {
        SessionID(rawValue: .random(in: 1...UInt64.max))
    }
}
