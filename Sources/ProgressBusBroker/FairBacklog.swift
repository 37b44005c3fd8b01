import BusProtocol

/// Report messages that wait to be worked off: one of each session in turn, each session's own in
/// the order in which they came.
///
/// Whoever sends much waits for itself. Bounded by ``ReportQueue``, from which the messages come
/// and for which they count until they have been worked off.
struct FairBacklog {
    /// What waits of one session.
    private struct Waiting {
        var messages: [ReportQueue.Message]
        var next = 0
    }

    private var waiting: [[UInt8]: Waiting] = [:]
    /// Sessions that have something, in the order of their turns.
    private var turns: [[UInt8]] = []
    private var turn = 0

    /// Adds messages in the order in which they came.
    mutating func add(_ messages: [ReportQueue.Message]) {
        for message in messages {
            let sender = Self.sender(of: message)
            if waiting[sender]?.messages.append(message) == nil {
                waiting[sender] = Waiting(messages: [message])
                turns.append(sender)
            }
        }
    }

    /// Takes the next one.
    mutating func next() -> ReportQueue.Message? {
        guard !turns.isEmpty else { return nil }
        if turn >= turns.count { turn = 0 }
        let sender = turns[turn]
        // Out of its place, so that it is changed and not copied.
        guard var own = waiting.removeValue(forKey: sender) else { return nil }
        let message = own.messages[own.next]
        own.next += 1
        if own.next < own.messages.count {
            if own.next > 64, own.next > own.messages.count / 2 {
                own.messages.removeFirst(own.next)
                own.next = 0
            }
            waiting[sender] = own
            turn += 1
        } else {
            // The last takes its turn: one of another session comes no later for it.
            turns.swapAt(turn, turns.count - 1)
            turns.removeLast()
        }
        return message
    }

    /// The credential, where it is the first field, as every implementation writes it.
    ///
    /// All others share one turn.
    private static func sender(of message: ReportQueue.Message) -> [UInt8] {
        let tag: [UInt8] = [0x0a, UInt8(ProtocolLimits.credentialBytes)]
        let fields = message.first?.dropFirst(FrameHeader.size) ?? []
        guard fields.starts(with: tag) else { return [] }
        return Array(fields.dropFirst(tag.count).prefix(ProtocolLimits.credentialBytes))
    }
}
