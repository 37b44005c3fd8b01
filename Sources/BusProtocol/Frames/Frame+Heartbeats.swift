/// What can be seen of a client's frame without decoding it.
///
/// Most frames of a quiet bus are signs of life, and decoding costs most of what they cost. Only the
/// bytes that this library writes are recognized: what says the same in other bytes is decoded.
extension Frame {
    /// What a report with nothing but a credential and a sequence says.
    package struct EmptyReport: Sendable, Equatable {
        /// The session that says that it lives.
        package let credential: SessionCredential
        /// That of the session's last report, unless this is itself one that has become empty.
        package let sequence: UInt64

        package init(credential: SessionCredential, sequence: UInt64) {
            self.credential = credential
            self.sequence = sequence
        }

        /// The frame that says it.
        package var frame: [UInt8] {
            var report = WireReport()
            report.credentialBytes = credential.bytes
            report.sequence = sequence
            return Frame.encode(report)
        }
    }

    /// The session that says that it lives, by a report with nothing but its credential and a
    /// sequence.
    package static func heartbeat(inReport frame: [UInt8]) -> EmptyReport? {
        frame.withUnsafeBytes { heartbeat(inReport: $0) }
    }

    /// The same of a frame that is somewhere in memory.
    package static func heartbeat(inReport frame: UnsafeRawBufferPointer) -> EmptyReport? {
        guard let position = endOfCredential(frame, .report), position < frame.count,
            frame[position] == 2 << 3,
            let end = endOfVarint(frame, at: position + 1), end == frame.count,
            // 0, in however many bytes, is no sequence.
            frame[end - 1] != 0, let credential = credential(frame)
        else { return nil }
        let sequence = frame[(position + 1)..<end].reversed()
            .reduce(0 as UInt64) { $0 << 7 | UInt64($1 & 127) }
        return EmptyReport(credential: credential, sequence: sequence)
    }

    /// The session that says that it lives, by `Heartbeat` on the control socket.
    package static func heartbeat(inControl frame: [UInt8]) -> SessionCredential? {
        frame.withUnsafeBytes { heartbeat(inControl: $0) }
    }

    private static func heartbeat(inControl frame: UnsafeRawBufferPointer) -> SessionCredential? {
        guard let position = endOfCredential(frame, .client), position + 2 <= frame.count,
            frame[position] == 3 << 3 | 2, Int(frame[position + 1]) == frame.count - position - 2
        else { return nil }
        guard position + 2 < frame.count else { return credential(frame) }
        guard frame[position + 2] == 1 << 3,
            endOfVarint(frame, at: position + 3) == frame.count
        else { return nil }
        return credential(frame)
    }

    private static func endOfCredential(
        _ frame: UnsafeRawBufferPointer,
        _ kind: FrameHeader.Kind
    ) -> Int? {
        let start = FrameHeader.size
        let end = start + 2 + ProtocolLimits.credentialBytes
        guard frame.count >= end, frame.starts(with: FrameHeader.magic),
            frame[4] == ProtocolVersion.major, frame[6] == kind.rawValue,
            frame[start] == 1 << 3 | 2, Int(frame[start + 1]) == ProtocolLimits.credentialBytes
        else { return nil }
        return end
    }

    private static func credential(_ frame: UnsafeRawBufferPointer) -> SessionCredential? {
        let start = FrameHeader.size + 2
        return SessionCredential(
            UnsafeRawBufferPointer(
                rebasing: frame[start..<(start + ProtocolLimits.credentialBytes)]
            )
        )
    }

    /// Nil where the number does not end within nine bytes: longer ones are left to the decoder.
    private static func endOfVarint(_ frame: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let numbers = start..<max(start, min(frame.count, start + 9))
        return frame[numbers].firstIndex { $0 < 128 }.map { $0 + 1 }
    }
}
