/// A received message, with the facts about its sender that were asked for.
package struct ReceivedMessage: Sendable, Hashable {
    package var parts: [[UInt8]]
    /// The transport address of the sender.
    ///
    /// On ipc it ends in `:uid:gid:pid`, on Linux only: the kernel vouches for them as of the
    /// moment the connection was made.
    package var peerAddress: String?
    /// The connection that it came over.
    package var connection: PeerConnection?
    /// The user that ``KeyHandlerSocket/answer(_:user:)`` named for the connection.
    package var user: String?

    package init(parts: [[UInt8]] = []) {
        self.parts = parts
    }
}

/// What may be asked for of the sender of a message; each costs about as much as receiving.
package struct SenderFacts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let address = SenderFacts(rawValue: 1)
    /// Comes with the address.
    package static let connection = SenderFacts(rawValue: 2 | 1)
    package static let user = SenderFacts(rawValue: 4)
}
