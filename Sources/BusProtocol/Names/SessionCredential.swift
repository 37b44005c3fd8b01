package import TaskTree

/// What makes a client's frames its own: 16 random bytes that only it and the broker know.
package struct SessionCredential: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Takes the bytes of a frame; `nil` unless there are 16.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == ProtocolLimits.credentialBytes else { return nil }
        self.bytes = bytes
    }

    /// A credential that nobody can guess, from the system's generator.
    package static func random() -> SessionCredential {
        SessionCredential(random: (0..<ProtocolLimits.credentialBytes).map { _ in .random() })
    }

    private init(random bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension SessionID {
    /// A public name for a new session, from the system's generator; never 0.
    package static func random() -> SessionID {
        SessionID(rawValue: .random(in: 1...UInt64.max))
    }
}

extension UInt8 {
    fileprivate static func random() -> UInt8 { random(in: 0...UInt8.max) }
}
