package import TaskTree

/// A file in the spool: the last frames of one session, which no broker has acknowledged.
///
/// ```
/// 'P' 'B' 'S' 'P'  major  minor  0  0        eight bytes
/// length frame, length frame, …              big-endian 32 bits, then a client's frame
/// 0  crc                                     a length of 0, then the CRC-32 of all before it
/// ```
///
/// Decoding trusts nothing. A decoded file keeps every limit, and holds either the frames of one
/// session, beginning with hello, or one request about a detached task.
package struct SpoolFile: Sendable {
    /// The frames that the session would have sent over control, in order; hello is the first.
    ///
    /// Or one request that ends a detached task, which needs no session.
    package let frames: [WireClientFrame]

    /// What every file begins with.
    static let magic: [UInt8] = [0x50, 0x42, 0x53, 0x50]
    private static let headerSize = 8
    private static let lengthSize = 4

    /// The session, which hello names; 0 for a request about a detached task, which has no session.
    package var session: SessionID { SessionID(rawValue: frames.first?.hello.session ?? 0) }

    /// How many endings and folds the file holds.
    package var statements: Int { frames.reduce(0) { $0 + $1.statements } }

    /// Encodes frames; if they break a limit, a broker will refuse the file.
    package static func encode(_ frames: [WireClientFrame]) -> [UInt8] {
        var bytes = magic + [ProtocolVersion.major, ProtocolVersion.minor, 0, 0]
        for frame in frames {
            let frame = Frame.encode(frame)
            bytes += UInt32(frame.count).bigEndianBytes
            bytes += frame
        }
        bytes += UInt32(0).bigEndianBytes
        bytes += CRC32.checksum(of: bytes[...]).bigEndianBytes
        return bytes
    }

    /// Reads what somebody has left behind.
    package init(decoding bytes: [UInt8]) throws(SpoolViolation) {
        guard bytes.count <= SpoolLimits.fileBytes else {
            throw SpoolViolation(
                "it has \(bytes.count) bytes and at most \(SpoolLimits.fileBytes) are allowed"
            )
        }
        guard bytes.count >= Self.headerSize, bytes.starts(with: Self.magic) else {
            throw SpoolViolation("it does not begin with the bytes PBSP")
        }
        guard bytes[4] == ProtocolVersion.major else {
            throw SpoolViolation(
                "it is of protocol version \(bytes[4]).\(bytes[5]) and this broker reads"
                    + " \(ProtocolVersion.text)"
            )
        }
        let parts = try Self.parts(of: bytes)
        var frames: [WireClientFrame] = []
        var statements = 0
        for part in parts {
            let frame: WireClientFrame
            do throws(ProtocolViolation) {
                frame = try Frame.decodeClient(Array(bytes[part]))
            } catch {
                throw SpoolViolation("frame \(frames.count + 1): \(error.sentence)")
            }
            statements += frame.statements
            guard statements <= SpoolLimits.statements else {
                throw SpoolViolation(
                    "it has more than \(SpoolLimits.statements) endings and folds"
                )
            }
            try Self.check(frame, after: frames)
            frames.append(frame)
        }
        guard !frames.isEmpty else { throw SpoolViolation("it holds no frame") }
        self.frames = frames
    }

    /// The places of the frames in the file, once its checksum has proved right.
    private static func parts(of bytes: [UInt8]) throws(SpoolViolation) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var position = headerSize
        while true {
            guard let length = UInt32(bigEndian: bytes, at: position) else {
                throw SpoolViolation("it ends before it is complete")
            }
            position += lengthSize
            if length == 0 { break }
            guard length <= UInt32(ProtocolLimits.clientFrameBytes),
                Int(length) <= bytes.count - position
            else {
                throw SpoolViolation("a frame in it is longer than the file or than a frame may be")
            }
            guard parts.count < SpoolLimits.frames else {
                throw SpoolViolation("it has more than \(SpoolLimits.frames) frames")
            }
            parts.append(position..<position + Int(length))
            position += Int(length)
        }
        guard let checksum = UInt32(bigEndian: bytes, at: position),
            position + lengthSize == bytes.count
        else {
            throw SpoolViolation("it does not end with its checksum")
        }
        guard checksum == CRC32.checksum(of: bytes[..<position]) else {
            throw SpoolViolation("its checksum is wrong")
        }
        return parts
    }

    /// Whether a frame may stand where it stands.
    private static func check(
        _ frame: WireClientFrame,
        after frames: [WireClientFrame]
    ) throws(SpoolViolation) {
        if let first = frames.first, first.credential != frame.credential {
            throw SpoolViolation("frame \(frames.count + 1) is of another session")
        }
        if case .detached? = frames.first?.body {
            throw SpoolViolation("something follows a request about a detached task")
        }
        switch frame.body {
        case .hello(let hello):
            guard frames.isEmpty, !hello.viewer else {
                throw SpoolViolation("it has a second hello, or that of a viewer")
            }
        case .redeem, .endings, .goodbye, nil:
            guard !frames.isEmpty else { throw SpoolViolation("it does not begin with a hello") }
        case .detached(let request):
            guard frames.isEmpty, case .end? = request.operation else {
                throw SpoolViolation("a request about a detached task is not the end of one alone")
            }
        case .heartbeat, .sync, .snapshot, .find, .command, .commandAnswer, .probe,
            .access, .fleetPages, .fleetRows, .fleetAnswer, .fleetSession:
            throw SpoolViolation(
                "frame \(frames.count + 1) is neither endings nor a redemption nor goodbye"
            )
        }
    }
}

/// Why a file in the spool is not taken in, as the end of a sentence.
package struct SpoolViolation: Error, Hashable, Sendable {
    package var reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

extension WireClientFrame {
    /// How many endings and folds the frame holds.
    fileprivate var statements: Int {
        guard case .endings(let endings)? = body else { return 0 }
        return endings.endings.count + endings.folds.count
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// Reads four bytes; `nil` where there are not so many.
    init?(bigEndian bytes: [UInt8], at position: Int) {
        guard position <= bytes.count - 4 else { return nil }
        self = bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
