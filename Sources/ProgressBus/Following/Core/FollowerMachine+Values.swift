import BusProtocol
import TaskTree

/// The values that consumers are given, and when.
extension FollowerMachine {
    /// How long a consumer waits for a picture before it is told that there is none, in seconds.
    static let connectingGrace = 0.25
    /// How long the first picture waits for children that come and go, in seconds.
    private static let deepGrace = 1.0
    /// How long the first picture waits for the next answer about other hosts' parts, in seconds;
    /// less than the patience of `status`.
    private static let partGrace = 0.7
    /// Seconds after which an unchanged snapshot is made again, so that its durations go on.
    static let cacheLife = 1.0
    /// Early values that a consumer may get within one tick after its first value.
    ///
    /// The broker publishes one early step in several messages: with a single early value, what the
    /// second message says would wait for the next tick.
    private static let earlyLimit = 4

    /// Whether every consumer's picture is complete in the present epoch.
    var isOnceComplete: Bool {
        link.epoch != nil && follows.values.allSatisfy { $0.completeEpoch == link.epoch }
    }

    func connection(of follow: Follow, at now: Moment) -> Board.Connection {
        let isHeard =
            isOnce || link.lastUpdate.map { now.seconds(since: $0) < Self.patience } == true
        if let epoch = link.epoch, follow.completeEpoch == epoch, isHeard { return .live }
        return follow.former == nil ? .connecting : .reconnecting
    }

    /// The next value for a consumer that waits for one; `nil` if nothing is new.
    mutating func nextValue(for id: UInt64, at now: Moment) -> Delivery? {
        guard var follow = follows[id] else { return .finished }
        // A follower that has a picture keeps it and waits until the broker has room again.
        if let refusal = link.fatal ?? (follow.former == nil ? link.helloRefusal : nil) {
            unfollow(id)
            return .failed(refusal)
        }
        if let ending = follow.ending { return lastValue(for: id, follow, ending, at: now) }
        let isEarly = follow.deliveredAt.map { now.seconds(since: $0) < tickLength } ?? false
        if isEarly {
            guard earlyRevision > follow.deliveredRevision, follow.earlyDeliveries < Self.earlyLimit
            else { return nil }
        }
        let connection = connection(of: follow, at: now)
        let isChanged =
            connection != follow.deliveredConnection
            || connection == .live
                && (revision(of: follow) > follow.deliveredRevision || isViewportNew(for: follow))
        guard isChanged else { return nil }
        let delivery: Delivery?
        switch connection {
        case .connecting where now.seconds(since: follow.createdAt) < Self.connectingGrace:
            return nil
        case .connecting, .reconnecting:
            delivery = formerPicture(for: follow, connection)
        case .live:
            // Out of the dictionary, so that its contents are changed in place and not copied.
            follows[id] = nil
            delivery = nextPicture(for: &follow, at: now)
            if let delivery {
                follow.former = delivery.kept
                follow.messagesSeen = messages.count
                follow.deliveredRevision = revision
            }
        }
        if delivery != nil {
            follow.deliveredConnection = connection
            follow.earlyDeliveries = isEarly ? follow.earlyDeliveries + 1 : 0
            if !isEarly { follow.deliveredAt = now }
        }
        follows[id] = follow
        return delivery
    }

    func revision(of follow: Follow) -> UInt64 {
        let wanted = topicsAreStale ? Array(wantedTopics(of: follow.interest)) : follow.topics
        return wanted.lazy.map { topics[$0]?.revision ?? 0 }.max() ?? 0
    }

    /// The value while there is no present picture; `nil` if the consumer waits for one.
    private func formerPicture(
        for follow: Follow,
        _ connection: Board.Connection
    ) -> Delivery? {
        switch (follow.interest, follow.former) {
        case (.board, .board(var board)?):
            board.connection = connection
            board.left = []
            board.messages = []
            return .board(board)
        case (.board, _): return .board(Board(connection: connection))
        case (.task, .task(var update)?):
            update.connection = connection
            update.messages = []
            return .task(update)
        case (.task, _): return nil
        case (.viewport(let parts), let former):
            var picture = ViewportUpdate(connection: connection)
            if case .viewport(let former)? = former { picture = former }
            picture.connection = connection
            picture.isLoading = isLoading(parts)
            return .viewport(picture)
        }
    }

    /// The present picture for a consumer.
    private func nextPicture(for follow: inout Follow, at now: Moment) -> Delivery? {
        switch follow.interest {
        case .board(let depth, let wantsMessages):
            var board = board(for: &follow, depth: depth, at: now)
            if follow.former != nil {
                board.left = departuresNotSeen(by: follow, from: board, at: now)
            }
            if wantsMessages { board.messages = messages.since(follow.messagesSeen) }
            follow.departuresSeen = departures.count
            return .board(board)
        case .task(let task, let job, let depth):
            guard let topic = topics[.job(job)], let row = topic.held?.rows[task] else {
                return nil
            }
            let update = TaskUpdate(
                task: snapshot(of: row, topic, depth: depth, at: now),
                connection: connection(of: follow, at: now),
                messages: messages(of: job, for: follow)
            )
            return .task(update)
        case .viewport(let parts):
            return .viewport(viewport(of: parts, for: &follow, at: now))
        }
    }

    /// The messages of the job's tasks since the value before.
    func messages(of job: TaskID, for follow: Follow) -> [TaskMessage] {
        messages.since(follow.messagesSeen).filter { $0.job == job }
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
        for (job, row) in pageRows {
            let whole = depth == 0 ? nil : topics[.job(job)]
            let revision = max(row.revision, whole?.revision ?? 0)
            var entry = follow.cache.removeValue(forKey: job)
            if entry?.isFresh(for: revision, at: now) != true {
                let task = snapshot(of: row, whole, depth: depth, at: now)
                entry = .init(revision: revision, madeAt: now, task: task)
            }
            guard let entry else { continue }
            cache[job] = entry
            board.jobs.append(entry.task)
            board.revisions[job] = revision
        }
        follow.cache = cache
        return board
    }

    /// A task with the tasks below it that are known, as deep as `depth`.
    func snapshot(
        of row: TopicContents.Row,
        _ whole: TopicFollower?,
        depth: Int?,
        at now: Moment
    ) -> TaskSnapshot {
        let present = brokerNow(at: now)
        guard depth != 0, let whole, let held = whole.held, held.epoch == link.epoch else {
            return row.shown(at: present)
        }
        let top = held.rows[row.task.id] ?? row
        let parts = partContents(of: top.task.id, in: whole.topic, depth: depth)
        return held.snapshot(of: top, with: parts, depth: depth, at: present)
    }

    /// The jobs of all pages, by slot.
    private var pageRows: [(TaskID, TopicContents.Row)] {
        (0..<chosenPageCount).flatMap { page in
            topics[.board(page: page)]?.held.map { held in
                held.order.compactMap { job in held.rows[job].map { (job, $0) } }
            } ?? []
        }
    }

    private func departuresNotSeen(
        by follow: Follow,
        from board: Board,
        at now: Moment
    ) -> [Board.Departure] {
        let present = brokerNow(at: now)
        return departures.since(follow.departuresSeen).compactMap { row, reason in
            guard board.revisions[row.task.id] == nil else { return nil }
            return Board.Departure(task: row.shown(at: present), reason: reason)
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

    // MARK: - Completeness

    /// Notes the present epoch for each consumer whose picture has become complete in it.
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
            // The topics as chosen last: to choose them costs a look at each job, and this runs
            // after each frame.
            let rest = now.seconds(since: max(since, link.answeredAt ?? since))
            let isDeepComplete = follow.topics.allSatisfy {
                topics[$0]?.isComplete(in: epoch) == true
                    || rest >= Self.partGrace && follow.interest.isPart($0)
            }
            // Where jobs come and go all the time, there is always a job that lacks its children.
            let isPatienceOver = !isOnce && now.seconds(since: since) >= Self.deepGrace
            if isDeepComplete || isPatienceOver { follows[id]?.completeEpoch = epoch }
        }
    }
}
