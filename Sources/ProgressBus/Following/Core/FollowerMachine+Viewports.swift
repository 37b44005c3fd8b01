import BusProtocol
import TaskTree

/// Viewports: what changed in each followed part since the value before.
extension FollowerMachine {
    /// Parts that one consumer may follow.
    static let partLimit = 1_024

    /// A task that left a followed part.
    struct PartDeparture: Sendable {
        var topic: Topic
        var row: TopicContents.Row
        var reason: String
    }

    /// Replaces the parts that a consumer of a viewport follows.
    mutating func show(_ id: UInt64, _ parts: Set<ViewportPart>) {
        guard case .viewport? = follows[id]?.interest else { return }
        let wanted = Self.limited(parts)
        follows[id]?.interest = .viewport(wanted)
        follows[id]?.viewport.forget { !wanted.contains($0) }
        follows[id]?.viewport.isWishNew = true
        topicsAreStale = true
    }

    /// Pulls every topic that a consumer of a viewport follows anew.
    mutating func refresh(_ id: UInt64, at now: Moment) {
        guard let follow = follows[id] else { return }
        for topic in wantedTopics(of: follow.interest) {
            topics[topic]?.refresh(at: now)
        }
    }

    /// At most `partLimit` of the parts, the same ones each time.
    static func limited(_ parts: Set<ViewportPart>) -> Set<ViewportPart> {
        guard parts.count > partLimit else { return parts }
        return Set(parts.sorted { $0.topic.name < $1.topic.name }.prefix(partLimit))
    }

    /// Notes tasks that have left a topic with rows, which a viewport may follow.
    mutating func note(_ removed: [(row: TopicContents.Row, reason: String)], from topic: Topic) {
        guard !removed.isEmpty, follows.values.contains(where: \.isViewport) else { return }
        for (row, reason) in removed where reason != "moved" {
            partDepartures.append(PartDeparture(topic: topic, row: row, reason: reason))
        }
    }

    /// Whether a viewport's parts, or its loading state, have changed since the value before.
    func isViewportNew(for follow: Follow) -> Bool {
        guard case .viewport(let parts) = follow.interest else { return false }
        return follow.viewport.isWishNew || follow.viewport.wasLoading != isLoading(parts)
    }

    /// Whether some part has no picture yet.
    func isLoading(_ parts: Set<ViewportPart>) -> Bool {
        parts.contains { !isThere($0) }
    }

    /// Whether the part has a picture, even an empty or a former one.
    private func isThere(_ part: ViewportPart) -> Bool {
        guard let topic = topics[part.topic] else { return false }
        return topic.held != nil || (topic.isAbsent && !topic.isSettling)
    }

    /// What has changed for a consumer since the value before.
    func viewport(
        of parts: Set<ViewportPart>,
        for follow: inout Follow,
        at now: Moment
    ) -> ViewportUpdate {
        var picture = ViewportUpdate(connection: .live, isLoading: isLoading(parts))
        picture.broker = brokerSummary(at: now)
        picture.highestSlot = Int(topics[.totals]?.held?.totals?.highestSlot ?? 0)
        let before = follow.viewport.deliveredParts
        for part in before where topics[part.topic]?.held == nil && part.hasRows {
            picture.members[part] = []
        }
        follow.viewport.forget { topics[$0.topic]?.held == nil }
        addParts(parts, for: &follow, to: &picture, at: now)
        addMessages(parts, since: follow.messagesSeen, before, to: &picture)
        addDepartures(before, for: follow, to: &picture, at: now)
        follow.departuresSeen = partDepartures.count
        follow.viewport.isWishNew = false
        follow.viewport.wasLoading = picture.isLoading
        return picture
    }

    private func addParts(
        _ parts: Set<ViewportPart>,
        for follow: inout Follow,
        to picture: inout ViewportUpdate,
        at now: Moment
    ) {
        var changed: [TaskID: TopicContents.Row] = [:]
        for part in parts {
            guard let topic = topics[part.topic], let held = topic.held,
                follow.viewport.isBehind(part, topic.revision)
            else { continue }
            for task in follow.viewport.take(part, held, at: revision, into: &picture) {
                changed[task] = held.rows[task]
            }
        }
        for (task, row) in changed {
            let isShared = follow.viewport.isShared(task)
            guard let row = isShared ? newestRow(of: task, in: parts) : row else { continue }
            var task = follow.viewport.snapshot(of: row, now: brokerNow(at: now))
            task.madeAt = now
            picture.changed.append(task)
        }
    }

    /// The newest row of a task that several parts have while it moves.
    private func newestRow(of task: TaskID, in parts: Set<ViewportPart>) -> TopicContents.Row? {
        var newest: (isPresent: Bool, row: TopicContents.Row)?
        for part in parts where part.hasRows {
            guard let held = topics[part.topic]?.held, let row = held.rows[task] else { continue }
            let isPresent = held.epoch == link.epoch
            // Sequences of different lives of the broker cannot be compared.
            if let newest,
                (newest.isPresent && !isPresent)
                    || (newest.isPresent == isPresent && newest.row.sequence >= row.sequence)
            {
                continue
            }
            newest = (isPresent, row)
        }
        return newest?.row
    }

    private func addMessages(
        _ parts: Set<ViewportPart>,
        since seen: UInt64,
        _ before: Set<ViewportPart>,
        to picture: inout ViewportUpdate
    ) {
        for part in parts where !before.contains(part) {
            guard case .messages(let job) = part, let held = topics[.log(job)]?.held else {
                continue
            }
            picture.messages += held.logs
        }
        guard messages.count > seen else { return }
        picture.messages += messages.since(seen).filter { message in
            before.contains(.messages(of: message.job))
                && parts.contains(.messages(of: message.job))
        }
    }

    private func addDepartures(
        _ before: Set<ViewportPart>,
        for follow: Follow,
        to picture: inout ViewportUpdate,
        at now: Moment
    ) {
        guard partDepartures.count > follow.departuresSeen else { return }
        var told: Set<TaskID> = []
        let present = brokerNow(at: now)
        let topics = Set(before.map(\.topic))
        for gone in partDepartures.since(follow.departuresSeen).reversed()
        where topics.contains(gone.topic) && !follow.viewport.shows(gone.row.task.id) {
            guard told.insert(gone.row.task.id).inserted else { continue }
            let last = gone.row.shown(at: present)
            picture.left.append(Board.Departure(task: last, reason: gone.reason))
        }
        picture.left.reverse()
    }
}

extension Follow {
    fileprivate var isViewport: Bool {
        if case .viewport = interest { true } else { false }
    }
}

extension ViewportPart {
    /// The topic that carries this part.
    var topic: Topic {
        switch self {
        case .board(let page): .board(page: page)
        case .children(let task, let block): .children(task, block: block)
        case .states(let job, let block): .states(job, block: block)
        case .hosts(let job): .hosts(job)
        case .messages(let job): .log(job)
        }
    }

    /// Whether the part lists tasks, and not cells, hosts or messages.
    var hasRows: Bool {
        switch self {
        case .board, .children: true
        case .states, .hosts, .messages: false
        }
    }
}
