import SwiftProtobuf

/// Turns messages into frames and frames into validated messages.
///
/// Decoding never traps, and never allocates by a size that a frame only claims: it gives a message
/// within all of `ProtocolLimits`, or a `ProtocolViolation`. A body of a kind that a newer minor
/// version added decodes to a frame whose `body` is `nil`; unknown fields are dropped.
package enum Frame {
    package static func encode(_ report: WireReport) -> [UInt8] {
        encode(report, .report)
    }

    package static func encode(_ frame: WireClientFrame) -> [UInt8] {
        encode(frame, .client)
    }

    package static func encode(_ frame: WireBrokerFrame) -> [UInt8] {
        encode(frame, .broker)
    }

    package static func encode(_ update: WireUpdate) -> [UInt8] {
        encode(update, .update)
    }

    package static func encode(_ record: WireFleetRecord) -> [UInt8] {
        encode(record, .fleet)
    }

    package static func decodeReport(_ frame: [UInt8]) throws(ProtocolViolation) -> WireReport {
        try decode(frame, .report, lists: WireListCount.report)
    }

    package static func decodeClient(
        _ frame: [UInt8]
    ) throws(ProtocolViolation) -> WireClientFrame {
        try decode(frame, .client, lists: WireListCount.client)
    }

    package static func decodeBroker(
        _ frame: [UInt8]
    ) throws(ProtocolViolation) -> WireBrokerFrame {
        try decode(frame, .broker)
    }

    package static func decodeUpdate(_ frame: [UInt8]) throws(ProtocolViolation) -> WireUpdate {
        try decode(frame, .update)
    }

    package static func decodeFleet(_ frame: [UInt8]) throws(ProtocolViolation) -> WireFleetRecord {
        try decode(frame, .fleet)
    }

    private static func encode(_ message: some Message, _ kind: FrameHeader.Kind) -> [UInt8] {
        do {
            return try FrameHeader.bytes(kind) + message.serializedBytes()
        } catch {
            // Only a message above 2 GB cannot be serialized. The receiver refuses a bare header.
            assertionFailure("\(error)")
            return FrameHeader.bytes(kind)
        }
    }

    private static func decode<M: CheckedMessage>(
        _ frame: [UInt8],
        _ kind: FrameHeader.Kind,
        lists: WireListCount? = nil
    ) throws(ProtocolViolation) -> M {
        try FrameHeader.check(frame, is: kind)
        try lists?.check(frame, from: FrameHeader.size)
        var options = BinaryDecodingOptions()
        // The deepest message of this version is five levels down.
        options.messageDepthLimit = 16
        options.discardUnknownFields = true
        let message: M
        do {
            message = try M(
                serializedBytes: Array(frame[FrameHeader.size...]),
                options: options
            )
        } catch {
            throw ProtocolViolation(
                .malformed,
                "The body of \(kind.name) cannot be read (\(reason(error))): send the protobuf"
                    + " message that the schema gives for this kind."
            )
        }
        return try message.accepted()
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? BinaryDecodingError {
        case .truncated: "it ends before it is complete"
        case .invalidUTF8: "a text in it is not UTF-8"
        case .messageDepthLimit: "messages in it are nested too deep"
        default: "it is not protobuf"
        }
    }
}

extension WireClientFrame.OneOf_Body {
    /// The number of the request, which the answer repeats; `nil` for a frame without such a
    /// number.
    package var request: UInt64? {
        switch self {
        case .sync(let sync): sync.request
        case .snapshot(let request): request.request
        case .find(let find): find.request
        case .command(let command): command.request
        case .probe(let probe): probe.request
        case .access(let access): access.request
        case .hello, .heartbeat, .endings, .redeem, .goodbye, .commandAnswer, .detached,
            .fleetPages, .fleetRows, .fleetAnswer, .fleetSession:
            nil
        }
    }
}
