import BusProtocol
import TaskTree

/// What consumers are given, and when.
extension FollowerMachine {
    /// A picture is waited for this long before a consumer is told that there is none, in seconds.
    static let connectingGrace = 0.25
    /// How long the first picture waits for children that come and go, in seconds.
    private static let deepGrace = 1.0
    /// Snapshots that did not change are made again after this time, for their durations.
    static let cacheLife = 1.0
    /// Values within one tick besides its first: one step of the broker comes in several messages,
    /// and what it says early would wait with the second.
    private static let earlyLimit = 4

    /// Whether the consumer's complete picture is there, and no more than it is to be changed.
    var isOnceComplete: Bool {
        link.epoch != nil && follows.values.allSatisfy { $0.completeEpoch == link.epoch }
    }

    func connection(of follow: Follow, at now: Moment) -> Board.Connection {
        let isHeard =
            isOnce || link.lastUpdate.map { now.seconds(since: $0) < Self.patience } == true
        if let epoch = link.epoch, follow.completeEpoch == epoch, isHeard { return .live }
        return follow.hasPicture ? .reconnecting : .connecting
    }

    /// The next value for a consumer that waits for one; `nil`: nothing new.
    mutating func nextValue(for id: UInt64, at now: Moment) -> Delivery? {
        guard var follow = follows[id] else { return .finished }
        // A follower that has a picture keeps it and waits until the broker has room again.
        if let refusal = link.fatal ?? (follow.hasPicture ? nil : link.helloRefusal) {
            unfollow(id)
            return .failed(refusal)
        }
        if let ending = follow.ending {
            unfollow(id)
            return ending
        }
        let isEarly = follow.deliveredAt.map { now.seconds(since: $0) < tickLength } ?? false
        if isEarly {
            guard earlyRevision > follow.deliveredRevision, follow.earlyDeliveries < Self.earlyLimit
            else { return nil }
        }
        if case .viewport = follow.interest {
            let delivery = nextViewport(for: id, at: now)
            if delivery != nil { follows[id]?.delivered(at: now, isEarly: isEarly) }
            return delivery
        }
        let connection = connection(of: follow, at: now)
        let isChanged =
            connection != follow.deliveredConnection
            || (connection == .live && revision(of: follow) > follow.deliveredRevision)
        guard isChanged else { return nil }
        let delivery: Delivery?
        switch follow.interest {
        case .board(let depth, let messages):
            delivery = nextBoard(
                for: &follow,
                depth: depth,
                messages: messages,
                connection: connection,
                at: now
            )
        case .task(let task, let job, let depth):
            delivery = nextTask(
                task,
                of: job,
                for: &follow,
                depth: depth,
                connection: connection,
                at: now
            )
        case .viewport:
            delivery = nil
        }
        guard let delivery else { return nil }
        follow.deliveredConnection = connection
        follow.delivered(at: now, isEarly: isEarly)
        if connection == .live { follow.deliveredRevision = revision }
        follows[id] = follow
        return delivery
    }

    func revision(of follow: Follow) -> UInt64 {
        var newest: UInt64 = 0
        let wanted = topicsAreStale ? Array(wantedTopics(of: follow.interest)) : follow.topics
        for topic in wanted {
            newest = max(newest, topics[topic]?.revision ?? 0)
        }
        return newest
    }

    private func nextBoard(
        for follow: inout Follow,
        depth: Int?,
        messages wantsMessages: Bool,
        connection: Board.Connection,
        at now: Moment
    ) -> Delivery? {
        switch connection {
        case .connecting:
            guard now.seconds(since: follow.createdAt) >= Self.connectingGrace else { return nil }
            return .board(Board(connection: .connecting))
        case .reconnecting:
            guard var board = follow.formerBoard else { return nil }
            board.connection = .reconnecting
            board.left = []
            board.messages = []
            return .board(board)
        case .live:
            var board = board(for: &follow, depth: depth, at: now)
            if follow.formerBoard != nil {
                board.left = departuresNotSeen(by: follow, from: board, at: now)
            }
            if wantsMessages { board.messages = messages.since(follow.messagesSeen) }
            follow.departuresSeen = departures.count
            follow.messagesSeen = messages.count
            follow.formerBoard = board
            return .board(board)
        }
    }

    private func nextTask(
        _ task: TaskID,
        of job: TaskID,
        for follow: inout Follow,
        depth: Int?,
        connection: Board.Connection,
        at now: Moment
    ) -> Delivery? {
        switch connection {
        case .connecting:
            return nil
        case .reconnecting:
            guard var update = follow.formerTask else { return nil }
            update.connection = .reconnecting
            update.messages = []
            return .task(update)
        case .live:
            guard let topic = topics[.job(job)], let row = topic.held?.rows[task] else {
                return nil
            }
            let former = follow.cache[task]?.tree
            let tree = tree(row, in: topic, depth: depth, former: former, at: now)
            follow.cache[task] = .init(revision: topic.revision, madeAt: now, tree: tree)
            let update = update(tree.snapshot, of: job, for: follow, at: now)
            follow.messagesSeen = messages.count
            follow.formerTask = update
            return .task(update)
        }
    }

    private func update(
        _ task: TaskSnapshot,
        of job: TaskID,
        for follow: Follow,
        at now: Moment
    ) -> TaskUpdate {
        TaskUpdate(
            task: task,
            connection: connection(of: follow, at: now),
            messages: messages.since(follow.messagesSeen).filter { $0.job == job }
        )
    }

    /// The present by the broker's clock, in Unix seconds.
    func brokerNow(at now: Moment) -> Double? {
        link.brokerTime.map { $0.seconds + max(now.seconds(since: $0.at), 0) }
    }

    // MARK: - Boards

    private func board(for follow: inout Follow, depth: Int?, at now: Moment) -> Board {
        var board = Board(connection: .live)
        board.broker = brokerSummary(at: now)
        board.attention = topics[.attention]?.held?.attention ?? []
        var cache: [TaskID: Follow.CachedSnapshot] = [:]
        for row in pageRows {
            let job = row.task
            let whole = depth == 0 ? nil : topics[.job(job)]
            let revision = max(row.revision, whole?.revision ?? 0)
            var entry = follow.cache.removeValue(forKey: job)
            if entry?.isFresh(for: revision, at: now) != true {
                let tree = tree(row, whole, depth: depth, former: entry?.tree, at: now)
                entry = .init(revision: revision, madeAt: now, tree: tree)
            }
            guard let entry else { continue }
            cache[job] = entry
            board.jobs.append(entry.tree.snapshot)
            board.revisions[job] = revision
        }
        follow.cache = cache
        return board
    }

    /// A job with what is known of its descendants.
    private func tree(
        _ row: RowState,
        _ whole: TopicFollower?,
        depth: Int?,
        former: ComposedTree?,
        at now: Moment
    ) -> ComposedTree {
        guard let whole, let held = whole.held, held.epoch == link.epoch else {
            return ComposedTree(row, now: brokerNow(at: now))
        }
        // Only what changes in the topic itself is known to the former one.
        let isWhole = held.rows[row.task] != nil
        return tree(row, in: whole, depth: depth, former: isWhole ? former : nil, at: now)
    }

    /// A task with what is below it in a topic; what was made of it before is used again.
    private func tree(
        _ row: RowState,
        in topic: TopicFollower,
        depth: Int?,
        former: ComposedTree?,
        at now: Moment
    ) -> ComposedTree {
        let present = brokerNow(at: now)
        guard let held = topic.held else { return ComposedTree(row, now: present) }
        if var tree = former, let present,
            tree.update(to: held, revision: topic.revision, now: present)
        {
            return tree
        }
        let root = held.rows[row.task] ?? row
        return ComposedTree(root, in: held, at: topic.revision, depth: depth, now: present)
    }

    /// The jobs of all pages, by slot.
    private var pageRows: [RowState] {
        var rows: [RowState] = []
        for (topic, follower) in topics {
            guard case .board = topic, let held = follower.held else { continue }
            rows += held.rows.values
        }
        return rows.sorted { ($0.slot, $0.task) < ($1.slot, $1.task) }
    }

    private func departuresNotSeen(
        by follow: Follow,
        from board: Board,
        at now: Moment
    ) -> [Board.Departure] {
        let composer = SnapshotComposer(rows: [:], now: brokerNow(at: now))
        return departures.since(follow.departuresSeen).compactMap { row, reason in
            guard board.revisions[row.task] == nil else { return nil }
            return Board.Departure(task: composer.snapshot(of: row, depth: 0), reason: reason)
        }
    }

    func brokerSummary(at now: Moment) -> Board.Broker? {
        guard let epoch = link.epoch, let totals = topics[.totals]?.held?.totals else { return nil }
        let since = link.welcomedAt.map { now.seconds(since: $0) } ?? 0
        var broker = Board.Broker()
        broker.epoch = epoch
        broker.version = link.welcome?.version ?? totals.version
        broker.uptime = link.welcome.map { $0.uptime + since } ?? totals.uptime
        broker.isSettling = topics[.totals]?.isSettling ?? false
        broker.sessions = Int(clamping: totals.sessions)
        broker.jobCounts = StateCounts(totals.jobs)
        broker.taskCounts = StateCounts(totals.tasks)
        broker.jobs = broker.jobCounts.sum
        broker.tasks = broker.taskCounts.sum
        broker.needingAttention = Int(clamping: totals.needingAttention)
        broker.refused = Int(clamping: totals.refused)
        broker.unattached = Int(clamping: totals.unattached)
        return broker
    }

    // MARK: - Completeness and endings

    /// Notes of which life of the broker each consumer has had a complete picture.
    mutating func noteCompleteness(at now: Moment) {
        guard let epoch = link.epoch else { return }
        for (id, follow) in follows where follow.completeEpoch != link.epoch {
            let isBaseComplete = baseTopics(of: follow.interest).allSatisfy {
                topics[$0]?.isComplete(in: epoch) == true
            }
            guard isBaseComplete else {
                follows[id]?.baseCompleteSince = nil
                continue
            }
            let since = follow.baseCompleteSince ?? now
            follows[id]?.baseCompleteSince = since
            let isDeepComplete = deepTopics(of: follow.interest).allSatisfy {
                topics[$0]?.isComplete(in: epoch) == true
            }
            // Where jobs come and go all the time there is always one without its children.
            let isPatienceOver = !isOnce && now.seconds(since: since) >= Self.deepGrace
            if isDeepComplete || isPatienceOver { follows[id]?.completeEpoch = epoch }
        }
    }

    /// Makes the last value of a task that has ended as soon as that is known, so that nothing
    /// that happens before the consumer asks can take it away.
    mutating func noteEndings(at now: Moment) {
        for (id, follow) in follows where follow.ending == nil && follow.completeEpoch == link.epoch
        {
            guard case .task(let task, let job, let depth) = follow.interest, link.epoch != nil,
                let topic = topics[.job(job)]
            else { continue }
            if let row = topic.held?.rows[task] {
                guard row.isEnded else { continue }
                let former = follow.cache[task]?.tree
                let tree = tree(row, in: topic, depth: depth, former: former, at: now)
                let last = update(tree.snapshot, of: job, for: follow, at: now)
                follows[id]?.ending = .final(last)
            } else {
                follows[id]?.ending = .failed(.left(follow.formerTask?.task, task: task))
            }
        }
    }

    /// A task of a followed job is gone.
    mutating func taskLeft(_ row: RowState, reason: String, job: TaskID) {
        for (id, follow) in follows where follow.ending == nil {
            guard case .task(let task, job, let depth) = follow.interest,
                task == row.task, reason != "moved"
            else { continue }
            var last = row
            if !row.isEnded {
                switch reason {
                case "succeeded": last.progress.state = .succeeded
                case "cancelled": last.progress.state = .cancelled
                default: break
                }
            }
            let composer = SnapshotComposer(
                rows: topics[.job(job)]?.held?.rows ?? [:],
                now: link.brokerTime?.seconds
            )
            let snapshot = composer.snapshot(of: last, depth: depth)
            let unseen = messages.since(follow.messagesSeen).filter { $0.job == job }
            follows[id]?.ending =
                last.isEnded
                ? .final(TaskUpdate(task: snapshot, connection: .live, messages: unseen))
                : .failed(.left(snapshot, task: task))
        }
    }
}

extension FollowError {
    fileprivate static func left(_ last: TaskSnapshot?, task: TaskID) -> FollowError {
        var sentence = "task \(task) has left the bus and nobody saw how it ended"
        if let last {
            let percent = Int(last.displayFraction * 100)
            sentence += "; \"\(last.title)\" was last seen \(last.state.rawValue) at \(percent) %"
        }
        return FollowError(.left, sentence)
    }
}
