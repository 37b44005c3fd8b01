import BusProtocol
import TaskTree

/// Which topics are wanted, and their snapshots.
extension FollowerMachine {
    /// Subscribes to what became wanted and leaves what no longer is.
    mutating func chooseTopics(at now: Moment) {
        guard topicsAreStale else { return }
        topicsAreStale = false
        chosenPageCount = pageCount
        var wanted: Set<Topic> = []
        for (id, follow) in follows {
            let mine = wantedTopics(of: follow.interest)
            follows[id]?.topics = Array(mine)
            wanted.formUnion(mine)
        }
        for topic in topicOrder where !wanted.contains(topic) {
            topics[topic] = nil
            if !isOnce { actions.append(.unsubscribe(topic.name)) }
        }
        topicOrder.removeAll { !wanted.contains($0) }
        // What is shown first is asked for first.
        for topic in wanted.sorted(by: { $0.rank < $1.rank }) where topics[topic] == nil {
            topics[topic] = TopicFollower(topic, isOnce: isOnce, at: now)
            topicOrder.append(topic)
            if !isOnce { actions.append(.subscribe(topic.name)) }
        }
    }

    func wantedTopics(of interest: Interest) -> Set<Topic> {
        deepTopics(of: interest).union(baseTopics(of: interest))
    }

    /// The topics that must be complete before there is a picture.
    func baseTopics(of interest: Interest) -> [Topic] {
        switch interest {
        case .board:
            let first: [Topic] = isOnce ? [.totals] : [.totals, .attention]
            return first + (0..<pageCount).map { .board(page: $0) }
        case .task(_, let job, _):
            return [.job(job)]
        case .viewport:
            return [.totals]
        }
    }

    /// The topics that a picture may lack for a moment.
    func deepTopics(of interest: Interest) -> Set<Topic> {
        switch interest {
        case .board(let depth, let messages):
            guard interest.isDeep else { return [] }
            var deep: Set<Topic> = []
            for job in ownJobs.prefix(Self.deepJobLimit) {
                if depth != 0 { deep.insert(.job(job)) }
                if messages { deep.insert(.log(job)) }
            }
            return deep
        case .task(let task, let job, let depth):
            return Set(partTopics(of: task, in: .job(job), depth: depth) + [.log(job)])
        case .viewport(let parts):
            return Set(parts.map(\.topic))
        }
    }

    /// The topics of the parts below a task that other hosts do, as deep as `depth` shows them.
    ///
    /// A part comes before the parts below it, and unfinished parts before ended ones.
    func partTopics(of task: TaskID, in job: Topic, depth: Int?) -> [Topic] {
        var found = [job]
        var next = 0
        func level(of part: TaskID) -> Int? {
            var id = part
            // No tree is deeper.
            for level in 0...ProtocolLimits.depth {
                if id == task { return level }
                let row = found.lazy.compactMap { self.topics[$0]?.held?.rows[id] }.first
                guard let parent = row?.task.parent else { return nil }
                id = parent
            }
            return nil
        }
        while next < found.count {
            defer { next += 1 }
            guard let held = topics[found[next]]?.held else { continue }
            let parts = held.parts.map { ($1 ? 1 : 0, $0) }
            for (_, part) in parts.sorted(by: <) where found.count <= Self.hostPartLimit {
                guard let level = level(of: part), depth.map({ level < $0 }) ?? true,
                    !found.contains(.job(part))
                else { continue }
                found.append(.job(part))
            }
        }
        return Array(found.dropFirst())
    }

    /// The held contents of the topics in `partTopics`.
    func partContents(of task: TaskID, in job: Topic, depth: Int?) -> [TopicContents] {
        partTopics(of: task, in: job, depth: depth).compactMap { topics[$0]?.held }
    }

    var pageCount: Int {
        let totals = topics[.totals]
        let highest = max(
            totals?.held?.totals?.highestSlot ?? 0,
            totals?.staged?.totals?.highestSlot ?? 0
        )
        return min(max((Int(highest) + 63) / 64, 1), Self.pageLimit)
    }

    /// The broker's own jobs on all pages, by slot, also those of a staged picture.
    ///
    /// Jobs of other brokers are left out: what is below them is pulled again and again, so a
    /// follower asks for it only with the job itself.
    private var ownJobs: [TaskID] {
        var slots: [TaskID: Int] = [:]
        for (topic, follower) in topics {
            guard case .board = topic else { continue }
            for rows in [follower.held?.rows, follower.staged?.rows] {
                for (task, row) in rows ?? [:] where !row.isElsewhere {
                    slots[task] = row.task.slot ?? 0
                }
            }
        }
        return slots.keys.sorted { (slots[$0] ?? 0, $0) < (slots[$1] ?? 0, $1) }
    }

    /// Gives up on answers that are overdue, and subscribes again where no beat comes.
    mutating func watchTopics(at now: Moment) {
        for (request, entry) in outstanding
        where now.seconds(since: entry.at) >= TopicFollower.patience {
            outstanding[request] = nil
            let pause = jitter.next(upTo: 0.2)
            topics[entry.topic]?.requestFailed(request, at: now, retryAfter: pause)
        }
        guard !isOnce else { return }
        for topic in topicOrder {
            guard let follower = topics[topic],
                now.seconds(since: follower.lastHeard) >= Self.patience
            else { continue }
            topics[topic]?.lastHeard = now
            actions.append(.unsubscribe(topic.name))
            actions.append(.subscribe(topic.name))
        }
    }

    /// Asks for the next chunks, as many as the window has room for.
    mutating func askForSnapshots(at now: Moment) {
        guard link.conversation.isWelcomed, outstanding.count < window else { return }
        let due = topicOrder.filter { topics[$0]?.wantsRequest(at: now) == true }
            .prefix(window - outstanding.count)
        guard !due.isEmpty else { return }
        let room = TopicFollower.rowLimit - topics.values.reduce(0) { $0 + $1.rowCount }
        for topic in due {
            guard var follower = topics[topic] else { continue }
            lastRequest += 1
            follower.rowLimit = max(room + follower.rowCount, 0)
            let request = follower.snapshotRequest(lastRequest, at: now)
            topics[topic] = follower
            outstanding[lastRequest] = (topic, now)
            actions.append(.send(frame(.snapshot(request))))
        }
    }
}

extension Topic {
    fileprivate var rank: (Int, Int) {
        switch self {
        case .totals: (0, 0)
        case .attention: (1, 0)
        case .board(let page): (2, page)
        case .job: (3, 0)
        case .children(_, let block): (4, block)
        case .states(_, let block): (5, block)
        case .hosts, .log, .probe: (6, 0)
        }
    }
}
