import BusProtocol
import TaskTree

/// Files of the spool: as they are, with their checksum put right, and made of an input's frames.
enum SpoolFiles {
    static func play(_ input: [UInt8]) {
        read(input)
        // Hardly any mutation would have a right checksum by itself.
        let body = input.dropLast(4)
        let checksum = CRC32.checksum(of: body)
        read(body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) })
        let frames = FrameSequence(input).compactMap { try? Frame.decodeClient($0.bytes) }
        if !frames.isEmpty { read(SpoolFile.encode(frames)) }
    }

    private static func read(_ bytes: [UInt8]) {
        do throws(SpoolViolation) {
            let file = try SpoolFile(decoding: bytes)
            promise(
                file.session.rawValue != 0 || file.isRequest,
                "a file of no session"
            )
            BrokerStage.collect(file)
        } catch {
            promise(!error.reason.isEmpty, "a refusal without words")
        }
    }
}

extension SpoolFile {
    /// Whether it holds one request, which needs no session.
    fileprivate var isRequest: Bool {
        guard frames.count == 1, case .detached? = frames[0].body else { return false }
        return true
    }
}
