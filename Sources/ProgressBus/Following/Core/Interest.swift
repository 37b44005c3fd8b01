import BusProtocol
import TaskTree

/// What somebody wants to see.
enum Interest: Sendable, Hashable {
    /// All jobs, with children down to a depth (`nil`: all of them).
    case board(depth: Int?, messages: Bool)
    /// One task and what is below it, until its final state.
    case task(TaskID, job: TaskID, depth: Int?)
    /// Parts of what there is, and what changes in them.
    case viewport(Set<ViewportPart>)

    /// Whether what it takes depends on which jobs there are.
    var isDeep: Bool {
        guard case .board(let depth, let messages) = self else { return false }
        return depth != 0 || messages
    }

    var isTask: Bool {
        if case .task = self { true } else { false }
    }

    /// Whether a topic says what is below a part of the job, which another host may be asked for.
    func isPart(_ topic: Topic) -> Bool {
        guard case .task(_, let job, _) = self, case .job(let id) = topic else { return false }
        return id != job
    }
}

/// What is handed to whoever waits for a value.
enum Delivery: Sendable {
    case board(Board)
    case task(TaskUpdate)
    /// The last value; nothing follows.
    case final(TaskUpdate)
    case viewport(ViewportUpdate)
    case failed(FollowError)
    case finished

    /// What is kept of it for the time while there is nothing newer: of a viewport, not its parts.
    var kept: Delivery {
        guard case .viewport(let picture) = self else { return self }
        var kept = ViewportUpdate(connection: picture.connection)
        kept.broker = picture.broker
        kept.highestSlot = picture.highestSlot
        return .viewport(kept)
    }
}

/// One interest and what its consumer has been given.
struct Follow: Sendable {
    var interest: Interest
    let createdAt: Moment
    /// What it is made of, as of when topics were chosen last.
    var topics: [Topic] = []
    /// The life of the broker of which there was a complete picture.
    var completeEpoch: UInt64?
    /// Since when everything but children is complete.
    var baseCompleteSince: Moment?
    var deliveredRevision: UInt64 = 0
    var deliveredConnection: Board.Connection?
    var deliveredAt: Moment?
    /// Values since then that did not wait for the end of the tick.
    var earlyDeliveries = 0
    /// The newest picture of all, for the time while there is no better one.
    var former: Delivery?
    /// What was delivered of a picture.
    var viewport = ViewportRecord()
    /// Departures (of a picture: from its parts) and messages up to this number were delivered.
    var departuresSeen: UInt64 = 0
    var messagesSeen: UInt64 = 0
    /// What ends the sequence, kept until it is asked for.
    var ending: Ending?
    /// Snapshots of jobs as they were last made.
    var cache: [TaskID: CachedSnapshot] = [:]

    struct CachedSnapshot: Sendable {
        var revision: UInt64
        var madeAt: Moment
        var task: TaskSnapshot

        func isFresh(for revision: UInt64, at now: Moment) -> Bool {
            self.revision == revision && now.seconds(since: madeAt) < FollowerMachine.cacheLife
        }
    }

    /// The last value of the sequence of one task, since it is known.
    struct Ending: Sendable {
        let delivery: Delivery
        let since: Moment
        /// Whether the final state was given; what was said last may still come.
        var isGiven = false
    }

    /// The task as it was last given.
    var formerTask: TaskSnapshot? {
        if case .task(let update)? = former { update.task } else { nil }
    }

    init(_ interest: Interest, at now: Moment) {
        self.interest = interest
        self.createdAt = now
    }
}

/// The newest things of a kind, numbered, so that every consumer gets each at most once.
struct NewestList<Element: Sendable>: Sendable {
    private let limit: Int
    private var elements: [(number: UInt64, element: Element)] = []
    private(set) var count: UInt64 = 0

    /// Keeps this many; older ones are forgotten.
    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ element: Element) {
        count += 1
        elements.append((count, element))
        // In batches, so that an addition costs the same on average however many are kept.
        if elements.count > 2 * limit { elements.removeFirst(elements.count - limit) }
    }

    /// What came after the number, oldest first, at most `limit`.
    func since(_ number: UInt64) -> [Element] {
        elements.suffix(limit).filter { $0.number > number }.map(\.element)
    }
}
