import BusProtocol
import DequeModule
import ZeroMQ

/// Report messages that wait for the loop, which takes one of each session in turn.
///
/// The messages of one session keep their order, and a session that sends much delays only itself.
/// ``ReportQueue`` bounds the backlog: a message counts there until the loop has worked it off.
struct FairBacklog {
    /// A known session; `nil` for all unknown ones together, however many names they use.
    private typealias Sender = SessionCredential?

    /// The waiting messages of each sender that has any.
    private var lines: [Sender: Deque<ReportQueue.Message>] = [:]
    /// The senders in `lines` in the order of their turns, without `last`.
    private var turns = Deque<Sender>()
    /// The sender of the last turn, if it has more messages: the next turn puts it at the end of
    /// the order.
    private var last: Sender?

    /// How many senders have messages that wait.
    var senders: Int { lines.count }

    /// Adds messages in the order in which they came; `isKnown` says whether the broker knows a
    /// session.
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

    /// Takes the next message; `nil` if none waits.
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

    /// The credential in a report, if it is the first field, as every implementation writes it.
    ///
    /// All other reports share one turn.
    private static func sender(of message: ReportQueue.Message) -> Sender {
        let tag = FrameHeader.size
        let end = tag + 2 + ProtocolLimits.credentialBytes
        guard let bytes = message.parts.first, bytes.count >= end, bytes[tag] == 0x0a,
            Int(bytes[tag + 1]) == ProtocolLimits.credentialBytes
        else { return nil }
        return SessionCredential(Array(bytes[(tag + 2)..<end]))
    }
}
