/// The eight bytes in front of every frame.
///
/// ```
///  0   1   2   3   4       5       6      7
/// 'P' 'B' 'U' 'S'  major   minor   kind   0
/// ```
package enum FrameHeader {
    package static let size = 8
    /// What every frame begins with, and what the broker's SUB subscribes to.
    package static let magic: [UInt8] = [0x50, 0x42, 0x55, 0x53]

    /// The kind of message that follows the header.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case report = 1
        case client = 2
        case broker = 3
        case update = 4
        case fleet = 5

        var name: String {
            switch self {
            case .report: "a report"
            case .client: "a client's control frame"
            case .broker: "a broker's control frame"
            case .update: "an update"
            case .fleet: "a record of a fleet"
            }
        }

        /// Bytes of a frame of this kind, header included.
        var limit: Int {
            switch self {
            case .report, .client, .fleet: ProtocolLimits.clientFrameBytes
            case .broker, .update: ProtocolLimits.frameBytes
            }
        }
    }

    /// The kind that a frame claims to be of, before the frame is checked.
    package static func kind(of frame: [UInt8]) -> Kind? {
        frame.count >= size ? Kind(rawValue: frame[6]) : nil
    }

    static func bytes(_ kind: Kind) -> [UInt8] {
        magic + [ProtocolVersion.major, ProtocolVersion.minor, kind.rawValue, 0]
    }

    /// Reads the header of a frame that must be of one kind.
    static func check(_ frame: [UInt8], is kind: Kind) throws(ProtocolViolation) {
        guard frame.count <= kind.limit else {
            throw ProtocolViolation(
                .tooLarge,
                "The frame has \(frame.count) bytes; at most \(kind.limit) are"
                    + " allowed: send it in several frames."
            )
        }
        guard frame.count >= size else {
            throw ProtocolViolation(
                .malformed,
                "The frame has \(frame.count) bytes, less than its header of \(size): send whole"
                    + " frames, one in each message part."
            )
        }
        guard frame.starts(with: magic) else {
            throw ProtocolViolation(
                .malformed,
                "The frame does not begin with the bytes PBUS: this socket speaks the ProgressBus"
                    + " protocol only."
            )
        }
        guard frame[4] == ProtocolVersion.major else {
            throw ProtocolViolation(
                .wrongMajor,
                "The frame is of protocol version \(frame[4]).\(frame[5]) and this side speaks"
                    + " \(ProtocolVersion.text): use versions of ProgressBus with the same major"
                    + " protocol version on both sides.",
                major: frame[4]
            )
        }
        guard frame[6] == kind.rawValue else {
            throw ProtocolViolation(
                .malformed,
                "The frame's kind is \(frame[6]), and this socket takes kind \(kind.rawValue),"
                    + " \(kind.name), in this direction: connect to the socket meant for it."
            )
        }
    }
}
