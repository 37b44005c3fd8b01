import BusProtocol
import TaskTree

/// The board of a fleet: where this broker's jobs are on it, and what other brokers show there.
///
/// The bridge, a process beside the broker, tells the broker both. The viewer that sent such a
/// frame last is the bridge.
extension BrokerMachine {
    /// The bridge says which pages of the fleet's board are this broker's.
    mutating func apply(_ said: WireFleetPages, of id: SessionID) {
        guard hearBridge(id) else { return }
        board.fleet.trouble = said.trouble
        var pages = board.pages
        pages.claimed = said.pages.map { Int($0) }
        guard pages != board.pages else { return }
        move(to: pages)
        var kept = said
        kept.trouble = ""
        outbox.entries.append(.boardPages(payload: Payload.encode(kept)))
    }

    /// The bridge says what another broker shows.
    mutating func apply(_ said: WireFleetRows, of id: SessionID) {
        guard hearBridge(id) else { return }
        publication.isChanged = true
        publication.totalsChanged = true
        defer { makeRoomForOthers() }
        guard !said.left else {
            for (id, part) in board.parts.parts where part.owner == said.broker && !isTold(id) {
                giveBack(id, now: clock.lastTick)
                board.parts.clearOwner(of: id)
            }
            for (session, known) in sessions.known where known.way.broker == said.broker {
                tree.loseFolds(of: session)
            }
            return board.fleet.remove(broker: said.broker)
        }
        guard
            board.fleet.has(broker: said.broker)
                || board.fleet.brokerCount < configuration.fleetBrokers
        else {
            let sentence = "A fleet may have \(configuration.fleetBrokers) other brokers."
            return refuse(.busy, sentence, of: id)
        }
        let step = (publication.stepNumber + 1) &* Self.stride
        board.fleet.hear(said, step: step)
        for task in said.removed {
            if let job = task.taskID() { board.fleet.remove(job, of: said.broker) }
        }
        for row in said.rows {
            guard let job = row.task.taskID() else { continue }
            guard board.fleet.has(job) || board.fleet.jobCount < configuration.fleetJobs else {
                let limit = configuration.fleetJobs
                refuse(.busy, "Of a fleet \(limit) jobs of other brokers are shown.", of: id)
                break
            }
            guard !isOwn(job), board.fleet.mayHave(job.session, said.broker),
                board.fleet.put(row, as: job, of: said.broker, step: step)
            else {
                refuse(.notPermitted, "Job \(job) is another broker's.", of: id)
                continue
            }
            // An orphan may be a part of a job here or at a third broker, which does not show it
            // yet.
            guard !row.description_p.orphan else { continue }
            learn(row.task, of: said.broker, asOwner: true)
        }
    }

    /// Whether a session may be the bridge; if so, it is the bridge from then on.
    private mutating func hearBridge(_ id: SessionID) -> Bool {
        guard let session = sessions[id], session.way.member == nil, session.isViewer else {
            let sentence = "A viewer on this machine speaks for a fleet; no reporter, no member."
            refuse(.notPermitted, sentence, of: id)
            return false
        }
        if board.fleet.bridge != id {
            board.fleet.beginAnew(with: id, at: sessions[id]?.lastHeard ?? clock.lastTick)
            giveUpQuestions()
        }
        return true
    }

    /// A session says hello again, or has left: if it was the bridge, there is none until one
    /// speaks.
    mutating func bridgeIsGone(_ id: SessionID) {
        guard board.fleet.bridge == id else { return }
        board.fleet.bridgeIsGone()
        giveUpQuestions()
    }

    /// Shows other hosts as silent while the bridge is, and forgets what no bridge has repeated for
    /// long.
    ///
    /// Called once a second.
    mutating func watchBridge(now: Moment) {
        guard board.fleet.brokerCount > 0 || !board.fleet.trouble.isEmpty else { return }
        if let heard = board.fleet.bridge.flatMap({ sessions[$0]?.lastHeard }) {
            board.fleet.lastHeard = heard
        }
        let (quiet, age) = (
            now.seconds(since: board.fleet.lastHeard), now.seconds(since: board.fleet.begun)
        )
        board.fleet.setSilent(
            since: quiet < configuration.silentAfter ? 0 : unix(board.fleet.lastHeard),
            former: age < configuration.silentAfter ? 0 : unix(board.fleet.begun),
            step: (publication.stepNumber + 1) &* Self.stride
        )
        if quiet >= configuration.fleetKept { board.fleet.removeAll() }
        if age >= configuration.fleetKept { board.fleet.removeOld() }
        guard board.fleet.hasChanges else { return }
        publication.isChanged = true
        publication.totalsChanged = true
        makeRoomForOthers()
    }

    /// Takes what runs below parts of departed sessions for lost, once their broker was silent for
    /// long.
    ///
    /// For sessions that are present, `checkSession` does so. Called once a second.
    mutating func loseUnheardFolds(now: Moment) {
        guard !sessions.isSettling else { return }
        for (id, session) in sessions.known where !session.isPresent {
            guard let broker = session.way.broker else { continue }
            // The silence of a broker that this one does not know counts from the start of this
            // one.
            let quiet =
                board.fleet.quiet(of: broker, at: unix(now)) ?? now.seconds(since: clock.began)
            if quiet >= configuration.lostAfter { tree.loseFolds(of: id) }
        }
    }

    /// Moves own pages for which no page is claimed behind the pages of other brokers.
    private mutating func makeRoomForOthers() {
        var pages = board.pages
        pages.others = board.fleet.pageCount
        move(to: pages)
    }

    /// Shows own jobs on other pages.
    private mutating func move(to pages: BoardPages) {
        let former = board.pages
        guard pages != former else { return }
        board.pages = pages
        for (slot, job) in board.jobInSlot where former.shown(slot: slot) != pages.shown(slot: slot)
        {
            let page = former.shown(page: Topic.page(ofSlot: slot))
            publication.unpublished.displaced.append((job, .board(page: page)))
            publication.isChanged = true
        }
        publication.totalsChanged = true
    }

    /// Adds what has changed on the boards of others to what is published.
    mutating func addFleet(to updates: inout [Topic: WireUpdate]) {
        let changes = board.fleet.takeChanges()
        for (id, page) in changes.removed {
            add(id, reason: "left", to: .board(page: page), in: &updates)
            if !board.fleet.has(id) { add(id, reason: "left", to: .job(id), in: &updates) }
        }
        for id in changes.changed {
            guard let row = board.fleet.row(id) else { continue }
            let page = Topic.page(ofSlot: Int(row.description_p.slot))
            for topic in [Topic.board(page: page), .job(id)] where publication.topics[topic] != nil
            {
                updates[topic, default: WireUpdate()].rows.append(row)
            }
        }
    }

    /// What an answer to `Find` says of a job of another broker.
    func foundElsewhere(_ id: TaskID) -> WireFoundTask? {
        guard let row = board.fleet.row(id) else { return nil }
        var found = WireFoundTask()
        found.task = row.task
        found.job = row.task
        found.title = row.description_p.title
        found.key = row.description_p.key
        found.slot = row.description_p.slot
        return found
    }
}
