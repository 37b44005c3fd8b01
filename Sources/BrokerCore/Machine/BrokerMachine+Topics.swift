import BusProtocol
package import TaskTree

/// Topics: only what somebody subscribes to is computed and published.
extension BrokerMachine {
    /// A viewer has subscribed to a topic, or ended that.
    ///
    /// The caller bounds how many topics there are: it knows which connection has subscribed.
    package mutating func subscriptionChanged(
        topic bytes: [UInt8],
        subscribed: Bool,
        now: Moment
    ) -> [BrokerAction] {
        guard bytes.count <= ProtocolLimits.topicBytes,
            let topic = Topic(name: String(decoding: bytes, as: UTF8.self))
        else {
            // Not one of ours, or a prefix of many: nothing will be published under it.
            if subscribed { sessions.refused += 1 }
            return []
        }
        if subscribed {
            let sequence = topic.firstSequence ?? publishedSequence
            let new = TopicState(name: topic.name, sequence: sequence)
            publication.topics[topic, default: new].subscribers += 1
            beat(topic, now: now)
        } else if let state = publication.topics[topic] {
            publication.topics[topic]?.subscribers -= 1
            if state.subscribers <= 1 { publication.topics[topic] = nil }
        }
        return finish(now: now)
    }

    mutating func publishBeats(now: Moment) {
        for (topic, state) in publication.topics {
            let isRenewed = renewElsewhere(topic, now: now)
            if !isRenewed, let last = state.lastBeat,
                now.seconds(since: last) < configuration.beatEvery
            {
                continue
            }
            beat(topic, now: now)
        }
    }

    /// Says where the topic stands, so that a follower sees what it has missed.
    private mutating func beat(_ topic: Topic, now: Moment) {
        guard let state = publication.topics[topic] else { return }
        publication.topics[topic]?.lastBeat = now
        var update = WireUpdate()
        update.unheard = isUnheard(topic)
        publish(update, as: state.sequence, behind: state.sequence, on: state.name, now: now)
    }

    /// A probe came in over reports: it goes out over updates.
    mutating func answerProbe(_ token: UInt64, now: Moment) {
        let topic = Topic.probe(token)
        guard publication.topics[topic] != nil else { return }
        beat(topic, now: now)
    }

    /// Publishes what a step changed on every topic that somebody subscribes to.
    mutating func publish(_ changes: StepChanges, seenBy followed: FollowedTasks, now: Moment) {
        guard !publication.topics.isEmpty else {
            _ = board.fleet.takeChanges()
            return
        }
        var updates: [Topic: WireUpdate] = [:]
        var cells: [Topic: Set<Int>] = [:]
        let described = followed.isEmpty ? [] : Set(changes.described)
        var isAdded: Set<TaskID> = []
        var cursor = TaskRecords.Cursor()
        for ids in [changes.described, changes.progressed] where !followed.isEmpty {
            for id in ids {
                // Viewers look at few of the changed tasks: the others are left out first of all.
                guard let number = records.number(of: id, near: &cursor),
                    followed.mayShow(number, of: records), isAdded.insert(id).inserted
                else { continue }
                add(id, isDescribed: described.contains(id), to: &updates, &cells, now: now)
            }
        }
        for removed in changes.removed {
            for topic in topicsShowing(removed.record) {
                if case .states = topic, let cell = removed.record.cell {
                    cells[topic, default: []].insert(cell)
                } else {
                    add(removed.id, reason: removed.reason, to: topic, in: &updates)
                }
            }
        }
        for (id, topic) in changes.displaced { add(id, reason: "evicted", to: topic, in: &updates) }
        addFleet(to: &updates)
        addStates(cells, to: &updates)
        for job in followed.logs {
            let lines = newLines(of: job)
            if !lines.isEmpty { updates[.log(job), default: WireUpdate()].logs = lines }
        }
        // Rows first, then what is counted from them: a follower wakes for the first update.
        for (topic, content) in updates where content.rows.count > 0 {
            send(content, on: topic, now: now)
        }
        for (topic, content) in updates where content.rows.count == 0 {
            send(content, on: topic, now: now)
        }
    }

    /// Publishes what is counted over all jobs, if it has changed.
    ///
    /// Once a tick: it costs a look at each job, and steps between ticks may be many.
    mutating func publishSummaries(now: Moment) {
        if publication.totalsChanged, publication.topics[.totals] != nil {
            var content = WireUpdate()
            content.totals = totals(now: now)
            send(content, on: .totals, now: now)
        }
        publication.totalsChanged = false
        guard publication.topics[.attention] != nil else {
            publication.attentionChanged = false
            return
        }
        guard publication.attentionChanged, now >= publication.attentionRest else { return }
        publication.attentionChanged = false
        var content = WireUpdate()
        content.attention = attentionList()
        send(content, on: .attention, now: now)
        let listed = Double(publication.attention.count)
        let rest = listed / Double(configuration.attentionPerSecond)
        publication.attentionRest = now.advanced(bySeconds: rest)
    }

    /// Whether somebody waits for summaries that have changed.
    var areSummariesDue: Bool {
        publication.totalsChanged && publication.topics[.totals] != nil
            || publication.attentionChanged && publication.topics[.attention] != nil
    }

    mutating func send(_ content: WireUpdate, on topic: Topic, now: Moment) {
        guard let state = publication.topics[topic] else { return }
        // What does not fit into a frame goes in several updates, each of which names the sequence
        // of the one before.
        let parts = parts(of: content)
        for (number, part) in parts.enumerated() {
            // The last part has the step's own sequence; those before it count up to it, in the
            // gap that the stride leaves between two steps.
            let sequence = publishedSequence - UInt64(parts.count - 1 - number)
            let previous = publication.topics[topic]?.sequence ?? state.sequence
            publish(part, as: sequence, behind: previous, on: state.name, now: now)
            publication.topics[topic]?.sequence = sequence
        }
        publication.topics[topic]?.lastBeat = now
    }

    private func parts(of update: WireUpdate) -> [WireUpdate] {
        var room = FrameRoom(of: configuration.frameBytes)
        let isWhole =
            update.removed.allSatisfy { room.take($0) } && update.rows.allSatisfy { room.take($0) }
            && update.logs.allSatisfy { room.take($0) }
        guard !isWhole else { return [update] }
        var parts: [WireUpdate] = []
        // Everything else is in the first part.
        var next = update
        (next.removed, next.rows, next.logs) = ([], [], [])
        func cut<Entry: FrameEntry>(_ list: WritableKeyPath<WireUpdate, [Entry]>) {
            for portion in update[keyPath: list].portions(of: configuration.frameBytes) {
                next[keyPath: list] = Array(portion)
                parts.append(next)
                next = WireUpdate()
            }
        }
        // What has left comes first: a task may be listed anew.
        cut(\.removed)
        cut(\.rows)
        cut(\.logs)
        return parts
    }

    private mutating func publish(
        _ update: consuming WireUpdate,
        as sequence: UInt64,
        behind previous: UInt64,
        on topic: String,
        now: Moment
    ) {
        update.epoch = outbox.epoch
        update.time = unix(now)
        update.settling = sessions.isSettling
        update.previous = previous
        update.sequence = sequence
        outbox.actions.append(.publish(topic: topic, update))
    }

    /// Adds a changed task to what is published; for mosaics, notes which cells to look at.
    private func add(
        _ id: TaskID,
        isDescribed: Bool,
        to updates: inout [Topic: WireUpdate],
        _ cells: inout [Topic: Set<Int>],
        now: Moment
    ) {
        guard let record = records[id] else { return }
        let showing = topicsShowing(record)
        guard !showing.isEmpty, let view = tree.view(id) else { return }
        let row = row(
            view,
            record: record,
            of: sessions[view.reporter.session],
            isDescribed: isDescribed,
            now: now
        )
        for topic in showing {
            if case .states = topic, let cell = record.cell {
                cells[topic, default: []].insert(cell)
            } else {
                updates[topic, default: WireUpdate()].rows.append(row)
            }
        }
    }

    /// The topics that show a task, of those somebody subscribes to.
    private func topicsShowing(_ record: TaskRecord) -> [Topic] {
        var showing: [Topic] = []
        func add(_ topic: Topic) {
            if publication.topics[topic] != nil { showing.append(topic) }
        }
        if let job = record.job {
            add(.job(job))
            if let cell = record.cell { add(.states(job, block: Topic.block(ofCell: cell))) }
        }
        if let slot = record.slot {
            add(.board(page: board.pages.shown(page: Topic.page(ofSlot: slot))))
        }
        if let parent = record.parent, let place = record.place {
            add(.children(parent, block: Topic.block(ofPlace: place)))
        }
        return showing
    }

    /// Adds the mosaics in which a cell has changed; numbers that rise change few cells.
    private mutating func addStates(
        _ cells: [Topic: Set<Int>],
        to updates: inout [Topic: WireUpdate]
    ) {
        for (topic, changed) in cells {
            guard case .states(let job, let block) = topic else { continue }
            let before = publication.topics[topic]?.cells
            var bytes = before ?? states(of: job, block: block)
            if before != nil {
                let first = block * ProtocolLimits.stateCells + 1
                for cell in changed {
                    let byte = state(inCell: cell, of: job)
                    if bytes.count <= cell - first, byte != 0 {
                        bytes += Array(repeating: 0, count: cell - first + 1 - bytes.count)
                    }
                    if cell - first < bytes.count { bytes[cell - first] = byte }
                }
                while bytes.last == 0 { bytes.removeLast() }
            }
            guard bytes != before else { continue }
            publication.topics[topic]?.cells = bytes
            updates[topic, default: WireUpdate()].stateBytes = bytes
        }
    }

    func add(_ id: TaskID, reason: String, to topic: Topic, in updates: inout [Topic: WireUpdate]) {
        guard publication.topics[topic] != nil else { return }
        var removed = WireRemoved()
        removed.task = WireTaskRef(id)
        removed.reason = reason
        updates[topic, default: WireUpdate()].removed.append(removed)
    }
}
