import BusProtocol
import TaskTree

/// Decides what a follower subscribes to, asks for and shows; without clock or socket.
///
/// Bounds: 1,536 board pages, the children and messages of the 512 jobs with the lowest slots, 32
/// parts of one job that other hosts do, 1,024 parts of a viewport, 250,000 rows in all, 1,000
/// departures and 1,000 messages waiting for slow consumers, 1,000 questions without an answer.
struct FollowerMachine: Sendable {
    /// What the owner of the sockets is to do, in order.
    enum Action: Sendable {
        case subscribe(String)
        case unsubscribe(String)
        case send(WireClientFrame)
        case answer(UInt64, InquiryResult)
    }

    /// Board pages followed; with them, the jobs' topics and a viewport's parts, a follower stays
    /// below what a broker allows one connection.
    static let pageLimit = 1_536
    static let deepJobLimit = 512
    /// Parts of one job followed; each of them is a question to another host every second.
    static let hostPartLimit = 32
    /// Seconds without a beat after which the connection counts as lost.
    static let patience = 3.0
    /// Snapshot requests that may be under way over all topics: half as many as the snapshots that
    /// a broker keeps for a session.
    ///
    /// A single picture of one task requests all its parts at once, because other hosts answer: a
    /// silent host must not hold up the others.
    var window: Int { isOnce && follows.values.contains(where: \.interest.isTask) ? 64 : 8 }

    let hello: WireHello
    let credential: [UInt8]
    /// Whether one complete picture is all that is wanted.
    let isOnce: Bool
    var jitter: Jitter
    var actions: [Action] = []

    /// The broker and the connection to it.
    var link = BrokerLink()

    var topics: [Topic: TopicFollower] = [:]
    var topicOrder: [Topic] = []
    /// Whether other topics may be wanted than were chosen last.
    var topicsAreStale = false
    /// Pages of the board that were wanted when topics were chosen last.
    var chosenPageCount = 0
    /// Snapshot requests on their way.
    var outstanding: [UInt64: (topic: Topic, at: Moment)] = [:]
    var lastRequest: UInt64 = 0
    /// Rises with every change in what is shown.
    var revision: UInt64 = 0
    /// The newest revision that consumers get without waiting for the tick.
    var earlyRevision: UInt64 = 0

    var follows: [UInt64: Follow] = [:]
    var inquiries: [UInt64: PendingInquiry] = [:]
    // News for consumers that have not had it yet.
    var departures = NewestList<(row: TopicContents.Row, reason: String)>(limit: 1_000)
    var partDepartures = NewestList<PartDeparture>(limit: 1_000)
    var messages = NewestList<TaskMessage>(limit: 1_000)

    /// Begins with a session of its own.
    init(
        hello: WireHello = .ofViewer(),
        credential: [UInt8] = SessionCredential.random().bytes,
        isOnce: Bool,
        seed: UInt64 = .random(in: .min ... .max),
        at now: Moment
    ) {
        self.hello = hello
        self.credential = credential
        self.isOnce = isOnce
        self.jitter = Jitter(seed: seed)
        link.conversation.greet(at: now)
    }

    // MARK: - Commands

    /// Begins to follow.
    mutating func follow(_ id: UInt64, _ interest: Interest, at now: Moment) {
        follows[id] = Follow(interest, at: now)
        topicsAreStale = true
        if case .viewport(let parts) = interest { show(id, parts) }
    }

    /// Ends a follow that has given its last value, or whose consumer has gone.
    mutating func unfollow(_ id: UInt64) {
        guard follows.removeValue(forKey: id) != nil else { return }
        topicsAreStale = true
    }

    // MARK: - Frames

    /// Takes a message of the updates socket.
    mutating func receive(topic name: String, _ update: WireUpdate, at now: Moment) {
        guard let topic = Topic(name: name),
            !link.formerEpochs.contains(update.epoch)
        else { return }
        link.lastUpdate = now
        enter(update.epoch, at: now)
        noteTime(update.time, at: now)
        guard topics[topic] != nil else { return }
        let effects =
            topics[topic]?.receive(update, at: now, jitter: &jitter, revision: &revision)
        take(effects, of: topic, at: now)
    }

    /// Takes a message of the control socket.
    mutating func receive(_ frame: WireBrokerFrame, at now: Moment) {
        guard !link.formerEpochs.contains(frame.epoch) else { return }
        enter(frame.epoch, at: now)
        switch frame.body {
        case .who:
            link.conversation.asked(at: now)
        case .welcome(let welcome):
            receive(welcome, at: now)
        case .snapshot(let chunk):
            noteTime(chunk.time, at: now)
            guard let topic = outstanding.removeValue(forKey: chunk.request)?.topic else { return }
            link.answeredAt = now
            let effects =
                topics[topic]?.receive(chunk, epoch: frame.epoch, at: now, revision: &revision)
            take(effects, of: topic, at: now)
        case .refusal(let refusal):
            receive(refusal, at: now)
        case .found(let found):
            receive(found)
        case .commandResult(let result):
            receive(result)
        // Frames for sessions that report, or of a newer minor version.
        case .endingsJournalled, .syncReached, .binding, .places, .goodbyeAccepted, .command,
            .probe, .detached, .access, .fleetQuestion, .fleetSession, nil:
            break
        }
    }

    /// Gives up on a broker that speaks another major version.
    mutating func meet(_ violation: ProtocolViolation) {
        guard let major = violation.major else { return }
        link.fatal = FollowError(
            .refused,
            "the broker speaks protocol \(major), this program \(ProtocolVersion.major); "
                + "use programs of the same version"
        )
    }

    /// Takes note of what a frame did to a topic.
    mutating func take(_ effects: TopicFollower.Effects?, of topic: Topic, at now: Moment) {
        guard let effects else { return }
        if effects.isEarly { earlyRevision = revision }
        switch topic {
        case .totals:
            if pageCount != chosenPageCount { topicsAreStale = true }
        case .board:
            note(effects.removed, from: topic)
            if effects.changesJobs, follows.values.contains(where: \.interest.isDeep) {
                topicsAreStale = true
            }
            for (row, reason) in effects.removed where reason != "moved" {
                departures.append((row, reason))
            }
        case .job(let job):
            if effects.changesParts { topicsAreStale = true }
            for (row, reason) in effects.removed {
                taskLeft(row, reason: reason, job: job, at: now)
            }
        case .log:
            effects.messages.forEach { messages.append($0) }
            if !effects.messages.isEmpty { revision += 1 }
        case .children:
            note(effects.removed, from: topic)
        case .attention, .states, .hosts, .probe:
            break
        }
    }

    /// Enters another epoch of the broker; nothing of the former one is merged with it.
    mutating func enter(_ epoch: UInt64, at now: Moment) {
        guard epoch != link.epoch else { return }
        if let former = link.epoch {
            if link.formerEpochs.count >= 8 { link.formerEpochs.removeFirst() }
            link.formerEpochs.append(former)
            link.conversation.greet(at: now)
            link.welcome = nil
        }
        link.epoch = epoch
        link.helloRefusal = nil
        link.brokerTime = nil
        outstanding.removeAll()
        for topic in topicOrder {
            topics[topic]?.endEpoch(at: now)
        }
        abandonCommands()
        for id in follows.keys {
            follows[id]?.baseCompleteSince = nil
        }
    }

    private mutating func noteTime(_ seconds: Double, at now: Moment) {
        guard seconds.isFinite, seconds > 0 else { return }
        link.brokerTime = (seconds, now)
    }
}

/// One interest and what its consumer has been given.
struct Follow: Sendable {
    var interest: Interest
    let createdAt: Moment
    /// The topics of its picture, as chosen last.
    var topics: [Topic] = []
    /// The epoch in which its picture last became complete.
    var completeEpoch: UInt64?
    /// Since when everything but children is complete.
    var baseCompleteSince: Moment?
    var deliveredRevision: UInt64 = 0
    var deliveredConnection: Board.Connection?
    var deliveredAt: Moment?
    /// Values since then that did not wait for the end of the tick.
    var earlyDeliveries = 0
    /// The picture that was last delivered, for the time while there is no present one.
    var former: Delivery?
    /// What was delivered of a viewport.
    var viewport = ViewportRecord()
    /// Departures (of a viewport: from its parts) and messages up to these numbers were delivered.
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

    /// The last value of a task's sequence, and since when it is known.
    struct Ending: Sendable {
        let delivery: Delivery
        let since: Moment
        /// Whether the final state was given; the last messages may still come.
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
