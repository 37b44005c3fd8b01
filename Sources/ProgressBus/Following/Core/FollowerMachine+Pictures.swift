import BusProtocol
import TaskTree

/// Pictures: of each followed part what changed since the value before.
extension FollowerMachine {
    /// Parts that one consumer may follow.
    static let partLimit = 1_024

    /// A task that left a followed part.
    struct PartDeparture: Sendable {
        var part: PicturePart
        var row: RowState
        var reason: String
    }

    /// A consumer of pictures wants these parts from now on.
    mutating func show(_ id: UInt64, _ parts: Set<PicturePart>) {
        guard case .picture? = follows[id]?.interest else { return }
        let wanted = Self.limited(parts)
        follows[id]?.interest = .picture(wanted)
        follows[id]?.picture.forget { !wanted.contains($0) }
        follows[id]?.picture.isWishNew = true
        topicsAreStale = true
    }

    /// Pulls everything that a consumer of pictures follows anew.
    mutating func refresh(_ id: UInt64, at now: Moment) {
        guard let follow = follows[id] else { return }
        for topic in baseTopics(of: follow.interest).union(deepTopics(of: follow.interest)) {
            topics[topic]?.refresh(at: now)
        }
    }

    /// No more parts than may be followed; the same ones each time.
    static func limited(_ parts: Set<PicturePart>) -> Set<PicturePart> {
        guard parts.count > partLimit else { return parts }
        return Set(parts.sorted { $0.topic.name < $1.topic.name }.prefix(partLimit))
    }

    /// Tasks have left a topic that may be a part of somebody's picture.
    mutating func note(_ removed: [(row: RowState, reason: String)], from topic: Topic) {
        guard !removed.isEmpty, let part = PicturePart(topic), part.hasRows,
            follows.values.contains(where: \.isPicture)
        else { return }
        for (row, reason) in removed where reason != "moved" {
            partDepartures.append(PartDeparture(part: part, row: row, reason: reason))
        }
    }

    /// The next value for a consumer of pictures that waits for one; `nil`: nothing new.
    mutating func nextPicture(for id: UInt64, at now: Moment) -> Delivery? {
        guard let follow = follows[id], case .picture(let parts) = follow.interest else {
            return nil
        }
        let connection = connection(of: follow, at: now)
        let isLoading = parts.contains { !isThere($0) }
        let record = follow.picture
        let isChanged =
            connection != follow.deliveredConnection
            || (connection == .live
                && (record.isWishNew || record.wasLoading != isLoading
                    || revision(of: follow) > follow.deliveredRevision))
        guard isChanged else { return nil }
        var picture = Picture(connection: connection, loading: isLoading)
        switch connection {
        case .connecting:
            guard now.seconds(since: follow.createdAt) >= Self.connectingGrace else { return nil }
        case .reconnecting:
            picture.broker = record.former?.broker
            picture.highestSlot = record.former?.highestSlot ?? 0
            picture.attention = record.former?.attention ?? []
        case .live:
            fill(&picture, parts: parts, for: id, at: now)
        }
        follows[id]?.deliveredConnection = connection
        return .picture(picture)
    }

    /// Whether there is a picture of the part, were it an empty one or a former one.
    private func isThere(_ part: PicturePart) -> Bool {
        guard let topic = topics[part.topic] else { return false }
        return topic.held != nil || (topic.isAbsent && !topic.isSettling)
    }

    private mutating func fill(
        _ picture: inout Picture,
        parts: Set<PicturePart>,
        for id: UInt64,
        at now: Moment
    ) {
        // Out of its place, so that what it holds is changed and not copied.
        guard var follow = follows.removeValue(forKey: id) else { return }
        picture.broker = brokerSummary(at: now)
        picture.highestSlot = Int(topics[.totals]?.held?.totals?.highestSlot ?? 0)
        picture.attention = topics[.attention]?.held?.attention ?? []
        let before = follow.picture.deliveredParts
        for part in before where topics[part.topic]?.held == nil && part.hasRows {
            picture.members[part] = []
        }
        follow.picture.forget { topics[$0.topic]?.held == nil }
        addParts(parts, for: &follow, to: &picture, at: now)
        addMessages(parts, since: follow.messagesSeen, before, to: &picture)
        addDepartures(before, for: follow.picture, to: &picture, at: now)
        follow.picture.departuresSeen = partDepartures.count
        follow.messagesSeen = messages.count
        follow.picture.isWishNew = false
        follow.picture.wasLoading = picture.loading
        var former = Picture(connection: .reconnecting, loading: false)
        former.broker = picture.broker
        former.highestSlot = picture.highestSlot
        former.attention = picture.attention
        follow.picture.former = former
        follow.deliveredRevision = revision
        follows[id] = follow
    }

    private func addParts(
        _ parts: Set<PicturePart>,
        for follow: inout Follow,
        to picture: inout Picture,
        at now: Moment
    ) {
        var changed: Set<TaskID> = []
        var rows: [TaskID: RowState] = [:]
        for part in parts {
            guard let topic = topics[part.topic], let held = topic.held,
                follow.picture.isBehind(part, topic.revision)
            else { continue }
            var mine: Set<TaskID> = []
            follow.picture.take(part, held, into: &picture, changed: &mine)
            follow.picture.close(part, at: revision)
            for task in mine { rows[task] = held.rows[task] }
            changed.formUnion(mine)
        }
        for task in changed {
            let row = follow.picture.isShared(task) ? newestRow(of: task, in: parts) : rows[task]
            guard let row else { continue }
            picture.changed.append(follow.picture.snapshot(of: row, now: brokerNow(at: now)))
        }
    }

    /// A task on its way from one part to another is as the newer of them says.
    private func newestRow(of task: TaskID, in parts: Set<PicturePart>) -> RowState? {
        var newest: (isPresent: Bool, row: RowState)?
        for part in parts where part.hasRows {
            guard let held = topics[part.topic]?.held, let row = held.rows[task] else { continue }
            let isPresent = held.epoch == epoch
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
        _ parts: Set<PicturePart>,
        since seen: UInt64,
        _ before: Set<PicturePart>,
        to picture: inout Picture
    ) {
        for part in parts where !before.contains(part) {
            guard case .messages(let job) = part, let held = topics[.log(job)]?.held else {
                continue
            }
            picture.messages += held.logs.map { TaskMessage($0, job: job) }
        }
        guard messages.count > seen else { return }
        picture.messages += messages.since(seen).filter { message in
            before.contains(.messages(of: message.job))
                && parts.contains(.messages(of: message.job))
        }
    }

    private func addDepartures(
        _ before: Set<PicturePart>,
        for record: PictureRecord,
        to picture: inout Picture,
        at now: Moment
    ) {
        guard partDepartures.count > record.departuresSeen else { return }
        var told: Set<TaskID> = []
        let present = brokerNow(at: now)
        for gone in partDepartures.since(record.departuresSeen).reversed()
        where before.contains(gone.part) && !record.shows(gone.row.task) {
            guard told.insert(gone.row.task).inserted else { continue }
            let last = TaskSnapshot(gone.row, now: present ?? gone.row.time)
            picture.left.append(Board.Departure(task: last, reason: gone.reason))
        }
        picture.left.reverse()
    }
}

extension Follow {
    fileprivate var isPicture: Bool {
        if case .picture = interest { true } else { false }
    }
}
