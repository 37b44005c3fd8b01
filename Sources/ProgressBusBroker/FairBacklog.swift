import BusProtocol

/// Report messages that wait to be worked off: one of each session in turn, each session's own in
/// the order in which they came.
///
/// Whoever sends much waits for itself. Bounded by ``ReportQueue``, from which the messages come
/// and for which they count until they have been worked off.
struct FairBacklog {
    /// What waits of one session.
    private struct Line {
        var messages: [ReportQueue.Message] = []
        var next = 0
    }

    /// The credential of a session; all that has none of the usual form is one sender.
    private struct Sender: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0
    }

    /// Lines kept although nothing is in them, so that a session has its own again.
    private static let emptyLines = 4_096

    private var lines: [Line] = []
    private var lineOfSender: [Sender: Int] = [:]
    /// Lines that have something, in the order of their turns.
    private var turns: [Int] = []
    private var turn = 0

    /// Adds messages in the order in which they came.
    mutating func add(_ messages: [ReportQueue.Message]) {
        for message in messages {
            let line = line(of: Self.sender(of: message))
            if lines[line].messages.isEmpty { turns.append(line) }
            lines[line].messages.append(message)
        }
    }

    /// Takes the next one.
    mutating func next() -> ReportQueue.Message? {
        guard !turns.isEmpty else { return nil }
        if turn >= turns.count { turn = 0 }
        let line = turns[turn]
        let message = lines[line].messages[lines[line].next]
        lines[line].next += 1
        let count = lines[line].messages.count
        if lines[line].next < count {
            if lines[line].next > 64, lines[line].next > count / 2 {
                lines[line].messages.removeFirst(lines[line].next)
                lines[line].next = 0
            }
            turn += 1
            return message
        }
        // The room of a flood is given back.
        lines[line].messages.removeAll(keepingCapacity: count <= 16)
        lines[line].next = 0
        // The last takes its turn: one of another session comes no later for it.
        turns.swapAt(turn, turns.count - 1)
        turns.removeLast()
        if turns.isEmpty, lines.count > Self.emptyLines { self = FairBacklog() }
        return message
    }

    private mutating func line(of sender: Sender) -> Int {
        if let line = lineOfSender[sender] { return line }
        lines.append(Line())
        lineOfSender[sender] = lines.count - 1
        return lines.count - 1
    }

    /// The credential, where it is the first field, as every implementation writes it.
    ///
    /// All others share one turn.
    private static func sender(of message: ReportQueue.Message) -> Sender {
        message.first?.withUnsafeBytes { bytes in
            let tag = FrameHeader.size
            guard bytes.count >= tag + 2 + ProtocolLimits.credentialBytes, bytes[tag] == 0x0a,
                Int(bytes[tag + 1]) == ProtocolLimits.credentialBytes
            else { return Sender() }
            return Sender(
                high: bytes.loadUnaligned(fromByteOffset: tag + 2, as: UInt64.self),
                low: bytes.loadUnaligned(fromByteOffset: tag + 10, as: UInt64.self)
            )
        } ?? Sender()
    }
}
