import BusProtocol

/// Report messages that wait to be worked off: one of each session in turn, each session's own in
/// the order in which they came.
///
/// Whoever sends much waits for itself. Bounded by ``ReportQueue``, from which the messages come
/// and for which they count until they have been worked off.
struct FairBacklog {
    /// The credential of a session; all that has none of the usual form is one sender.
    private struct Sender: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0
    }

    /// What waits, of those of whom something does.
    private var lines: [Sender: Queue<ReportQueue.Message>] = [:]
    /// They, in the order of their turns, but for who had the last one.
    private var turns = Queue<Sender>()
    /// Who had the last turn and has more: behind everybody who waits when the next one is due.
    private var last: Sender?

    /// How many senders have something that waits.
    var senders: Int { lines.count }

    /// Adds messages in the order in which they came.
    mutating func add(_ messages: [ReportQueue.Message]) {
        for message in messages {
            let sender = Self.sender(of: message)
            if lines[sender] == nil { turns.append(sender) }
            lines[sender, default: Queue()].append(message)
        }
    }

    /// Takes the next one.
    mutating func next() -> ReportQueue.Message? {
        if let last { turns.append(last) }
        last = nil
        guard let sender = turns.popFirst() else { return nil }
        let message = lines[sender]?.popFirst()
        if lines[sender]?.isEmpty == false {
            last = sender
        } else {
            // Whoever sends under new names all the time leaves nothing behind.
            lines[sender] = nil
        }
        return message
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
