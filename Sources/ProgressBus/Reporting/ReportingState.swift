import BusProtocol
import TaskTree

/// Where the session stands with its broker.
struct Link {
    /// The broker listens on the reports socket.
    var isSubscribed = false
    var conversation = BrokerConversation()
    /// The epoch of the broker that last welcomed the session.
    var epoch: UInt64?
    var welcomedAt: Moment?
    var controlBlockedUntil: Moment?
    /// What was last given out for the control socket, to be taken back if it could not be sent.
    var inHand: WireClientFrame.OneOf_Body?
    /// The broker has refused this session for good.
    ///
    /// The broker speaks another version, or takes the session for somebody else's. Nothing is sent
    /// to it; another broker is tried when it appears.
    var isRefused = false

    var isWelcomed: Bool { conversation.isWelcomed }
    var hasEverBeenWelcomed: Bool { epoch != nil }
    /// Whether reports go out: a broker has welcomed the session and subscribed to its reports.
    var isReporting: Bool { isSubscribed && isWelcomed }
}

/// How large the frames of a session are made.
enum ReportingFrame {
    /// About how many bytes fill a frame: with its last task, all indices that a fold may name and
    /// the log lines it still stays within `ProtocolLimits.clientFrameBytes`.
    static let bytes = 24 * 1_024
    /// The bytes that an entry counts for at least, so that a frame has at most
    /// `ProtocolLimits.listItems` entries.
    static let entryBytes = bytes / ProtocolLimits.listItems
}

/// What goes over the reports socket.
struct Reports {
    /// Tasks that have moved, or have moved not long ago.
    var changed: [UInt64] = []
    var logs = LogTail()
    /// When the next tick begins or goes on; nil if there is nothing to look at.
    var tickDue: Moment?
    var lastTick: Moment?
    /// How far the present tick is; nil between ticks.
    var progress: TickProgress?
    /// The report in hand is the last of its tick.
    var endsTick = false
    /// Ticks and keyframes that were sent to their end.
    var completed: UInt64 = 0
    var keyframe: Keyframe?
    var keyframes: UInt32 = 0
    /// The report last given out.
    var inHand: WireReport?
    /// The socket was full: not before this moment.
    var blockedUntil: Moment?
    /// Sequence of the last report that libzmq took.
    var lastSent: UInt64 = 0
}

/// A position within the changed list.
struct TickProgress {
    /// The next entry to look at.
    var cursor = 0
    /// Entries before the cursor that stay in the list, moved to its front.
    var kept = 0
}

/// The newest log lines that no report has taken yet.
struct LogTail {
    struct Line {
        var index: UInt64
        var text: String
        /// Unix seconds.
        var time: Double
    }

    /// Above this many the oldest lines are dropped.
    static let limit = 1_000

    private(set) var lines: [Line] = []

    var isEmpty: Bool { lines.isEmpty }

    mutating func append(_ line: Line) {
        lines.append(line)
        // Drops some at a time, so that a line costs O(1).
        if lines.count >= Self.limit + 200 { lines.removeFirst(lines.count - Self.limit) }
    }

    /// Takes the oldest lines out, up to about this many bytes.
    mutating func take(bytes: Int) -> [Line] {
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
        var room = bytes
        var count = 0
        while count < lines.count, room > 0 {
            room -= lines[count].text.utf8.count + ReportingFrame.entryBytes
            count += 1
        }
        defer { lines.removeFirst(count) }
        return Array(lines.prefix(count))
    }

    /// Puts lines back that could not be sent.
    mutating func putBack(_ older: [Line]) {
        lines.insert(contentsOf: older, at: 0)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }
}

/// A keyframe under way: all tasks of the session, by rising index.
struct Keyframe {
    let number: UInt32
    /// The tasks there were at its beginning; when they are through, those begun since.
    var indices: [UInt64]
    var cursor = 0
    /// The highest index in `indices`.
    var highest: UInt64
    var chunk: UInt32 = 0
    /// A chunk that the socket would not take yet.
    var unsent: WireReport?
}

/// Endings, tickets and folds, sent over control until they are acknowledged.
struct Endings {
    /// An Endings frame under way.
    struct Frame {
        var indices: [UInt64]
        var folds: [(parent: UInt64, version: UInt64, removedEnd: UInt64)]
        let sent: Moment
    }

    /// Nanoseconds after which a frame without an answer is repeated: the control connection may
    /// have been replaced without anybody being told.
    static let patience: Int64 = 3_000_000_000

    /// When the first frame under way is to be repeated.
    var repeatDue: Moment? { outstanding.values.lazy.map(\.sent).min()?.later(by: Self.patience) }

    /// Rows that wait for the next frame; empty while there is no welcome.
    var queue: [UInt64] = []
    /// Parents whose fold waits for the next frame.
    var foldQueue: [UInt64] = []
    /// By sequence.
    var outstanding: [UInt64: Frame] = [:]
    /// Ended tasks and tickets that no broker has acknowledged.
    var unacknowledged: Set<UInt64> = []
    /// Parents whose fold has changed since a broker acknowledged it.
    var unacknowledgedFolds: Set<UInt64> = []
    /// Topmost tasks in the order they ended.
    var jobs: [UInt64] = []
    /// The last number of an ending, ticket or fold; they share one count, in the order they came.
    var lastNumber: UInt64 = 0
    /// Ended tasks that are kept.
    var kept = 0
    /// Endings forgotten without having been acknowledged.
    var dropped = 0
    var due: Moment?
    var lastFrame: Moment?

    var hasSomething: Bool { !queue.isEmpty || !foldQueue.isEmpty }
    var isAllAcknowledged: Bool { unacknowledged.isEmpty && unacknowledgedFolds.isEmpty }
}

/// A ticket that a task of this session redeems.
struct Redemption {
    let ticket: TaskID
    /// The decision of the last broker that answered.
    var known: WireBinding?
    /// The codes of the broker's refusals that were warned of already.
    var refusals: Set<RefusalCode> = []

    /// Nanoseconds after which an unanswered redemption is repeated.
    static let patience: Int64 = 500_000_000

    func wire(_ index: UInt64) -> WireRedeem {
        var redeem = WireRedeem()
        redeem.index = index
        redeem.ticket = WireTaskRef(ticket)
        if let known { redeem.known = known }
        return redeem
    }
}

/// What a session that ends could not get acknowledged, for the spool.
struct LastWords: Sendable {
    /// What it would have said over control: hello, redemptions, endings, goodbye.
    var frames: [WireClientFrame]
    /// Endings that did not fit.
    var omitted: Int
    /// Whether some broker has welcomed the session.
    var hadBroker: Bool
}

/// A caller of `sync` or `close` that waits until the broker has everything.
struct Waiter {
    enum Stage {
        /// Reports of what was said before the wait must go out first.
        case flushing
        /// The endings up to `number` must be acknowledged.
        case settling
        /// The broker was asked.
        case asked
    }

    let id: UInt64
    let isClosing: Bool
    var deadline: Moment
    /// Nanoseconds from an acknowledgement to the new deadline, which never passes `lastDeadline`.
    let patience: Int64
    let lastDeadline: Moment
    /// The number of the last ending when it began to wait.
    let number: UInt64
    /// The `Reports.completed` at which everything said before the wait has been reported.
    let flushed: UInt64
    var stage = Stage.flushing
}
