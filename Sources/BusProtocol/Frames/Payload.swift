package import SwiftProtobuf

/// Messages as bytes without a frame's header: what the journal keeps.
package enum Payload {
    package static func encode(_ message: some SwiftProtobuf.Message) -> [UInt8] {
        // Serialising fails only for missing required fields (proto2) and above 2 GiB.
        (try? message.serializedBytes()) ?? []
    }

    /// Decodes a message; `nil` if the bytes are none, or if it breaks a limit of the protocol.
    package static func decode<M: CheckedMessage>(
        _ type: M.Type,
        from bytes: [UInt8]
    ) -> M? {
        guard var message = try? M(serializedBytes: bytes) else { return nil }
        return (try? message.accept()) == nil ? nil : message
    }
}
