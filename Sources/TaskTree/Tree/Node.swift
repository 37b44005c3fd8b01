/// How a record hangs in the tree; follows from its binding, else from its description.
enum Attachment: UInt8, Sendable {
    /// Nothing is known: a placeholder, or the redeemer of a ticket that awaits its binding.
    case unknown
    /// A job.
    case root
    /// A child of the record `up`.
    case child
    /// Redeemed a held ticket: a child of the record `up`, with share 1.
    case concurrentRedeemer
    /// Speaks for the ticket `up` in one of its attempts; not shown itself.
    case holder
    /// Shown nowhere.
    case inert
}

/// Yes-or-no facts of a record.
struct NodeFlags: OptionSet, Sendable {
    let rawValue: UInt32

    static let described = NodeFlags(rawValue: 1 << 0)
    static let measured = NodeFlags(rawValue: 1 << 1)
    static let detailed = NodeFlags(rawValue: 1 << 2)
    static let stated = NodeFlags(rawValue: 1 << 3)
    static let ticket = NodeFlags(rawValue: 1 << 4)
    static let silent = NodeFlags(rawValue: 1 << 5)
    static let stalled = NodeFlags(rawValue: 1 << 6)
    static let cancelling = NodeFlags(rawValue: 1 << 7)
    static let dismissed = NodeFlags(rawValue: 1 << 8)
    /// Shown as a job because its parent has not turned up.
    static let orphan = NodeFlags(rawValue: 1 << 9)
    /// Waits in the list of its depth for the next settling.
    static let dirty = NodeFlags(rawValue: 1 << 10)
    /// Its description, place or attempt changed since the last settling.
    static let news = NodeFlags(rawValue: 1 << 11)
    /// Was in a job when the tree last settled.
    static let shown = NodeFlags(rawValue: 1 << 12)
    /// Its state was an ended one when the tree last settled.
    static let shownEnded = NodeFlags(rawValue: 1 << 13)

    /// Counted among the records of its session: something was stated or decided of it.
    static let owned = NodeFlags(rawValue: 1 << 14)

    /// An earlier run of the same job failed, and nobody has dismissed that.
    static let afterFailure = NodeFlags(rawValue: 1 << 15)

    /// The record waits in `ProgressTree.pendingWork` for work of this kind.
    static let awaitsMark = NodeFlags(rawValue: 1 << 16)
    static let awaitsSubtree = NodeFlags(rawValue: 1 << 17)
    static let awaitsAttachment = NodeFlags(rawValue: 1 << 18)

    /// A part of another broker's job, which counts it.
    static let part = NodeFlags(rawValue: 1 << 19)

    /// Anything its owner has said.
    static let words: NodeFlags = [.described, .measured, .detailed, .stated]
}

/// What is known about one name under which an owner speaks.
///
/// There may be a million nodes: small fields fill the gaps that alignment would leave.
struct Node: Sendable {
    var id: TaskID
    /// What its owner has said: each group with the version it was last said under.
    var description: TaskDescription?
    var describedVersion: UInt64 = 0
    var amounts = TaskAmounts()
    var link = Attachment.unknown
    /// Steps from the root; negative while no root is reached.
    var depth: Int8 = -1
    var flags: NodeFlags = []
    var measuredVersion: UInt64 = 0
    var detail = ""
    var detailedVersion: UInt64 = 0
    var stated = StatedState.running
    /// The unit of its amounts, by its number in the table of units.
    var unit = noNumber
    var statedVersion: UInt64 = 0
    /// What the broker concludes from its owner's silence.
    var inference: Inference?
    /// The parent that it names or the ticket that it is bound to, whether or not a root reaches
    /// that.
    var up = noNumber
    /// What it contributes to its parent's sums at this moment.
    var contribution = Contribution()

    var previousSibling = noNumber
    var nextSibling = noNumber
    /// The root it is counted under.
    var job = noNumber
    /// Its place in the pool of families, if it has children, folds or holders.
    var family = noNumber

    init(id: TaskID) {
        self.id = id
    }

    var isAttached: Bool { depth >= 0 }
}

extension StatedState {
    /// Whether unfinished descendants of the same session end with the task.
    var endsDescendants: Bool {
        switch self {
        case .failed, .cancelled: true
        case .running, .paused, .succeeded: false
        }
    }

    /// The reason given with it; empty if none was.
    var reason: String {
        switch self {
        case .failed(let reason), .cancelled(let reason): reason
        case .running, .paused, .succeeded: ""
        }
    }
}

extension Inference {
    var isLost: Bool { if case .lost = self { true } else { false } }

    var reason: String {
        switch self {
        case .lost(let reason), .cancelled(let reason): reason
        }
    }
}
