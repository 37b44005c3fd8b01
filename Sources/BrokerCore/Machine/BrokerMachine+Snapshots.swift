import BusProtocol
package import TaskTree

/// Snapshots: pulled by viewers, stamped with the sequence of their topic.
extension BrokerMachine {
    mutating func answer(
        _ request: WireSnapshotRequest,
        of id: SessionID,
        to route: Route,
        now: Moment
    ) {
        guard let topic = Topic(name: request.topic) else {
            let name = request.topic.limited(toUTF8: 100)
            let sentence = "\"\(name)\" is not a topic of this broker."
            return send(refusal(.unknownTopic, sentence, request: request.request), to: route)
        }
        if passOn(.snapshot(request), about: topic.task, of: id, to: route, now: now) { return }
        if request.cursor.isEmpty, case .job(let job) = topic {
            // All children of the job are listed at once.
            let looks = tree.view(job)?.childCount ?? 0
            if let sentence = takeLooks(at: looks, of: sessions.owner(of: id)) {
                return send(refusal(.busy, sentence, request: request.request), to: route)
            }
        }
        // What a chunk shows must be published: its stamp says that nothing older is missing.
        if tree.hasPending || !publication.unpublished.isEmpty || board.fleet.hasChanges
            || hasUnpublishedLines(topic)
        {
            step(now: now)
        }
        var chunk = WireSnapshotChunk()
        chunk.request = request.request
        chunk.topic = request.topic
        chunk.sequence = publication.topics[topic]?.sequence ?? publishedSequence
        chunk.settling = sessions.isSettling
        // What another broker has is asked of that broker, unless it is not heard.
        let elsewhere = board.fleet.brokerCount > 0 ? brokerElsewhere(of: topic) : nil
        chunk.unheard = elsewhere.map { !board.fleet.isHeard($0) } ?? false
        chunk.time = unix(now)
        chunk.last = true
        switch topic {
        case .totals: chunk.totals = totals(now: now)
        case .attention: chunk.attention = attentionList()
        case .states(let job, let block): chunk.stateBytes = states(of: job, block: block)
        case .hosts: if let hosts = publication.topics[topic]?.hosts { chunk.hosts = hosts }
        case .log(let job): chunk.logs = newestLines(of: job, in: frameBytes(for: request))
        case .probe: break
        case .board, .children, .job:
            guard fill(&chunk, topic: topic, request: request, of: id, now: now) else {
                let sentence = "That snapshot is no longer open; ask again without a cursor."
                return send(refusal(.staleCursor, sentence, request: request.request), to: route)
            }
        }
        send(.snapshot(chunk), to: route)
    }

    /// Puts the rows from the cursor on into the chunk, and where the next ones are; false if the
    /// cursor is stale.
    private mutating func fill(
        _ chunk: inout WireSnapshotChunk,
        topic: Topic,
        request: WireSnapshotRequest,
        of id: SessionID,
        now: Moment
    ) -> Bool {
        var listing: Listing
        var position = 0
        if request.cursor.isEmpty {
            listing = list(topic)
        } else {
            guard let (known, at) = resume(request.cursorBytes, topic: topic, of: id) else {
                return false
            }
            listing = known
            position = at
        }
        let wanted = request.maxRows == 0 ? configuration.rowsPerChunk : Int(request.maxRows)
        let most = min(wanted, configuration.rowsPerChunk)
        // One more than is sent, to know whether this is the last chunk.
        listing.extend(to: position + most + 1, in: tree)
        let room = FrameRoom(of: frameBytes(for: request))
        let (rows, end) = rows(of: listing, from: position, most: most, in: room, now: now)
        chunk.rows = rows
        if end < listing.positions.upperBound {
            chunk.last = false
            chunk.cursorBytes = Array("\(listing.number):\(end)".utf8)
            listing.drop(before: position)
            publication.listings.put(
                listing,
                of: id,
                perSession: id == board.fleet.bridge
                    ? configuration.fleetQuestions : configuration.listingsPerSession,
                ids: configuration.listedIDs
            )
        }
        return true
    }

    /// The rows from a position on that have room in a frame, and where the next one is.
    private func rows(
        of listing: Listing,
        from position: Int,
        most: Int,
        in room: FrameRoom,
        now: Moment
    ) -> (rows: [WireRow], end: Int) {
        let ids = listing[position..<min(listing.positions.upperBound, position + most)]
        var rows: [WireRow] = []
        rows.reserveCapacity(ids.count)
        var room = room
        var (treeCursor, recordCursor) = (TaskTable.Cursor(), TaskRecords.Cursor())
        // Neighbours have the same reporter, and looking up a session is expensive.
        var former: SessionID?
        var reporter: Session?
        for (number, id) in ids.enumerated() {
            guard let view = tree.view(id, near: &treeCursor),
                let record = records.number(of: id, near: &recordCursor)
            else {
                guard let row = board.fleet.row(id) else { continue }
                guard room.take(row) else { return (rows, position + number) }
                rows.append(row)
                continue
            }
            let session = view.reporter.session
            if former != session { (former, reporter) = (session, sessions[session]) }
            let row = row(view, record: records[record], of: reporter, isDescribed: true, now: now)
            guard room.take(row) else { return (rows, position + number) }
            rows.append(row)
        }
        return (rows, position + ids.count)
    }

    /// How many bytes the answer's frame may have.
    private func frameBytes(for request: WireSnapshotRequest) -> Int {
        guard request.maxBytes > 0 else { return configuration.frameBytes }
        return min(Int(request.maxBytes) + FrameRoom.besideEntries, configuration.frameBytes)
    }

    /// Takes an open listing out, so that it is extended in its place.
    private mutating func resume(
        _ cursor: [UInt8],
        topic: Topic,
        of id: SessionID
    ) -> (Listing, Int)? {
        let parts = String(decoding: cursor, as: UTF8.self).split(separator: ":")
        guard parts.count == 2, let number = UInt64(parts[0]), let position = Int(parts[1]),
            let known = publication.listings.take(number, of: id), known.topic == topic,
            known.positions.contains(position)
        else { return nil }
        return (known, position)
    }

    private mutating func list(_ topic: Topic) -> Listing {
        var (ids, trees): ([TaskID], [TaskID]) = ([], [])
        switch topic {
        case .board(let page): ids = board.jobs(onPage: page)
        case .children(let parent, let block):
            let first = block * ProtocolLimits.childPlaces + 1
            let taskAt = board.places[parent]?.taskAt
            ids = (first..<(first + ProtocolLimits.childPlaces))
                .compactMap { taskAt?[$0] }
                .filter { tree.isChild($0, of: parent) }
                .sorted()
        case .job(let job) where board.fleet.has(job): ids = [job]
        case .job(let job) where board.leaving[job] == nil: trees = [job]
        case .job, .totals, .attention, .states, .hosts, .log, .probe: break
        }
        let number = publication.listings.nextNumber()
        return Listing(number: number, topic: topic, ids: ids, trees: trees)
    }
}

extension BrokerMachine {
    /// The job that a task hangs from, as of the last step.
    package func job(of id: TaskID) -> TaskID? { tree.job(of: id) }
}
