import BusProtocol
import DequeModule
import ZeroMQ

/// Report messages that wait to be worked off: one of each session in turn, each session's own in
/// the order in which they came.
///
/// A connection that sends much delays only itself. Bounded by ``ReportQueue``, from which the messages come
/// and for which they count until they have been worked off.
struct FairBacklog {
    /// A session that is known; all others are one sender, however many names they use.
    private typealias Sender = SessionCredential?

    /// What waits, of those of whom something does.
    private var lines: [Sender: Deque<ReportQueue.Message>] = [:]
    /// They, in the order of their turns, but for who had the last one.
    private var turns = Deque<Sender>()
    /// The connection of the last turn, if it has more: it goes behind all that wait by then.
    private var last: Sender?

    /// How many senders have something that waits.
    var senders: Int { lines.count }

    /// Adds messages in the order in which they came; `isKnown` says whether a session is.
    mutating func add(
        _ messages: [ReportQueue.Message],
        isKnown: (SessionCredential) -> Bool = { _ in true }
    ) {
        for message in messages {
            var sender = Self.sender(of: message)
            if let credential = sender, !isKnown(credential) { sender = nil }
            if lines[sender] == nil { turns.append(sender) }
            lines[sender, default: []].append(message)
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
            // A sender that changes its name all the time leaves nothing behind.
            lines[sender] = nil
        }
        return message
    }

    /// The credential, where it is the first field, as every implementation writes it.
    ///
    /// All others share one turn.
    private static func sender(of message: ReportQueue.Message) -> Sender {
        let tag = FrameHeader.size
        let end = tag + 2 + ProtocolLimits.credentialBytes
        guard let bytes = message.parts.first, bytes.count >= end, bytes[tag] == 0x0a,
            Int(bytes[tag + 1]) == ProtocolLimits.credentialBytes
        else { return nil }
        return SessionCredential(Array(bytes[(tag + 2)..<end]))
    }
}
