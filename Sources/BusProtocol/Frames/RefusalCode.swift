/// The reason for not accepting a peer's frame; the number that travels in `Refusal.code`.
///
/// A struct and not an enum: a newer minor version may send codes that this one has no name for.
package struct RefusalCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The bytes are not a frame, or its parts contradict each other.
    package static let malformed = RefusalCode(rawValue: 1)
    /// The frame's major version is another one than the receiver's.
    package static let wrongMajor = RefusalCode(rawValue: 2)
    /// The frame is longer than a frame may be.
    package static let tooLarge = RefusalCode(rawValue: 3)
    /// A text has more UTF-8 bytes than its field allows.
    package static let tooLong = RefusalCode(rawValue: 4)
    /// A number lies outside the range of its field.
    package static let outOfRange = RefusalCode(rawValue: 5)
    /// A list has more entries than a frame may carry.
    package static let tooMany = RefusalCode(rawValue: 6)
    /// The credential is not 16 bytes, or does not belong to the session it speaks for.
    package static let badCredential = RefusalCode(rawValue: 8)
    /// The public id in hello belongs to another live session.
    package static let sessionTaken = RefusalCode(rawValue: 9)
    /// The session has as many tasks as one session may have.
    package static let quotaTasks = RefusalCode(rawValue: 10)
    /// The session has sent more text in a second than one session may send.
    package static let quotaText = RefusalCode(rawValue: 11)
    /// The task lies deeper below its job than a tree may be.
    package static let tooDeep = RefusalCode(rawValue: 12)
    /// There is no topic of this name.
    package static let unknownTopic = RefusalCode(rawValue: 13)
    /// There is no such task, or there is no longer.
    package static let unknownTask = RefusalCode(rawValue: 14)
    /// The task of the ticket has succeeded; nobody can continue it.
    package static let ticketUsed = RefusalCode(rawValue: 15)
    /// The sender may not do this, or the task's owner does not allow it.
    package static let notPermitted = RefusalCode(rawValue: 16)
    /// The snapshot's cursor is not one that this broker gave for this topic.
    package static let staleCursor = RefusalCode(rawValue: 17)
    /// The broker holds as much of this kind as it can hold.
    package static let busy = RefusalCode(rawValue: 18)
    /// The receiver does not know this verb, or cannot do it.
    package static let unsupported = RefusalCode(rawValue: 19)
    /// The broker is leaving and takes nothing new.
    package static let stopping = RefusalCode(rawValue: 20)
    /// The task has ended, so that nothing more can be said of it or begun below it.
    package static let taskEnded = RefusalCode(rawValue: 21)
    /// Another attempt at the ticket's task has begun, so that this attempt counts no more.
    package static let superseded = RefusalCode(rawValue: 22)

    /// Every code of this version with the word that names it, in order of its number.
    package static let all: [(code: RefusalCode, name: String)] =
        zip([1...6, 8...22].joined(), words).map { (RefusalCode(rawValue: $0), $1) }

    private static let words = [
        "malformed", "wrong-major", "too-large", "too-long", "out-of-range", "too-many",
        "bad-credential", "session-taken", "quota-tasks", "quota-text", "too-deep",
        "unknown-topic", "unknown-task", "ticket-used", "not-permitted", "stale-cursor", "busy",
        "unsupported", "stopping", "task-ended", "superseded",
    ]

    /// The word for logs and people; `code-<number>` for a code of a newer version.
    package var name: String {
        Self.all.first { $0.code == self }?.name ?? "code-\(rawValue)"
    }
}

extension RefusalCode: CustomStringConvertible {
    package var description: String { name }
}

extension WireRefusal {
    /// Makes a refusal that names the protocol version of this side.
    package init(
        _ code: RefusalCode,
        _ sentence: String,
        request: UInt64 = 0,
        index: UInt64 = 0
    ) {
        self.init()
        self.code = code.rawValue
        self.sentence = sentence
        self.request = request
        self.index = index
        major = UInt32(ProtocolVersion.major)
        minor = UInt32(ProtocolVersion.minor)
    }
}
