import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// A broker machine with a clock in the test's hand and a journal that is an array.
struct Bus {
    var machine: BrokerMachine
    var now = Moment(nanoseconds: 1_000_000_000)
    var journal: [JournalEntry] = []
    /// Everything done so far, newest last.
    var sent: [(route: Route, frame: WireBrokerFrame)] = []
    var published: [(topic: Topic, update: WireUpdate)] = []
    var logged: [String] = []
    var spooled: [UInt64: SpoolDecision] = [:]
    /// The processes whose end the machine wants to be told.
    var watched: [SessionID: WatchedProcess] = [:]
    /// The processes it wanted to be looked at.
    var examined: [SessionID: WatchedProcess] = [:]
    /// While false, journal batches wait: the disk is slow.
    var isJournalQuick = true
    var waitingBatches: [UInt64] = []
    /// The wall clock when the machine's clock was at 0.
    let unixTime: Double
    /// No frame may have more.
    let frameBytes: Int

    init(
        configuration: CoreConfiguration = CoreConfiguration(),
        journal: [JournalEntry] = [],
        ownSession: SessionID = SessionID(rawValue: 77),
        unixTime: Double = 1_800_000_000
    ) {
        self.journal = journal
        self.unixTime = unixTime
        frameBytes = configuration.frameBytes
        machine = BrokerMachine(
            configuration: configuration,
            epoch: 7,
            ownSession: ownSession,
            journal: journal,
            now: now,
            unixTime: unixTime + Double(now.nanoseconds) / 1e9
        )
    }

    /// The same bus after its broker was killed and another began with what was on disk.
    ///
    /// The clock of its host is so many seconds ahead of what it was.
    func restarted(clockAhead: Double = 0) -> Bus {
        // Each broker has another random session to offer; that of the journal counts.
        var next = Bus(
            journal: JournalEntry.compact(journal),
            ownSession: SessionID(rawValue: 78),
            unixTime: unixTime + clockAhead
        )
        next.now = now
        return next
    }

    mutating func perform(_ actions: [BrokerAction]) {
        for action in actions {
            switch action {
            case .send(let route, let frame):
                if let frame = received(Frame.encode(frame), Frame.decodeBroker) {
                    sent.append((route, frame))
                }
            case .publish(let name, let update):
                guard let topic = Topic(name: name),
                    let update = received(Frame.encode(update), Frame.decodeUpdate)
                else { continue }
                published.append((topic, update))
            case .journal(let batch, let entries):
                journal += entries
                if isJournalQuick {
                    perform(machine.journalled(batch: batch, now: now))
                } else {
                    waitingBatches.append(batch)
                }
            case .spooled(let file, let decision): spooled[file] = decision
            case .watch(let session, let process): watched[session] = process
            case .examine(let session, let process): examined[session] = process
            case .unwatch(let session): watched[session] = nil
            case .log(_, let text, _): logged.append(text)
            }
        }
    }

    /// What comes out at the other end.
    private func received<Message>(
        _ bytes: [UInt8],
        _ decode: ([UInt8]) throws -> Message
    ) -> Message? {
        #expect(bytes.count <= frameBytes)
        do {
            return try decode(bytes)
        } catch {
            Issue.record("What the broker sends is refused: \(error)")
            return nil
        }
    }

    mutating func finishJournal() {
        for batch in waitingBatches { perform(machine.journalled(batch: batch, now: now)) }
        waitingBatches = []
    }

    mutating func control(
        _ client: Client,
        peer: Int32? = nil,
        _ body: WireClientFrame.OneOf_Body
    ) {
        var frame = WireClientFrame()
        frame.credentialBytes = client.credential.bytes
        frame.body = body
        perform(machine.receive(frame, from: client.route, peer: peer, now: now))
    }

    mutating func report(_ client: Client, _ build: (inout WireReport) -> Void) {
        var report = WireReport()
        report.credentialBytes = client.credential.bytes
        build(&report)
        perform(machine.receive(report, now: now))
    }

    /// Has a session say all that it has.
    mutating func keyframe(
        _ client: Client,
        sequence: UInt64 = 1,
        _ build: (inout WireReport) -> Void = { _ in }
    ) {
        report(client) {
            $0.sequence = sequence
            $0.keyframe = 1
            $0.keyframeLast = true
            build(&$0)
        }
    }

    /// Has a client say hello, and that it has the job "Film" and so many tickets below it, from index 2 on.
    mutating func issueTickets(of issuer: Client, _ count: UInt64 = 1, sequence: UInt64 = 1) {
        control(issuer, issuer.hello)
        keyframe(issuer, sequence: sequence) {
            $0.descriptions = [issuer.description(1, "Film")]
            $0.descriptions += (2..<2 + count).map {
                issuer.description($0, "Scene", parent: issuer.task(1), isTicket: true)
            }
        }
    }

    /// One on which the worker has done half of its only task, and a viewer is there.
    static func halfway(_ worker: Client, seenBy viewer: Client) -> Bus {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Encode")]
            $0.add(1, completed: 1, total: 2)
        }
        return bus
    }

    /// Lets time pass in ticks of 50 ms.
    mutating func pass(_ seconds: Double = 0.05) {
        let ticks = max(1, Int((seconds / 0.05).rounded()))
        for _ in 0..<ticks {
            now = now.advanced(bySeconds: 0.05)
            perform(machine.tick(now: now, unixTime: unixTime + Double(now.nanoseconds) / 1e9))
        }
    }

    /// Lets time pass while these clients send heartbeats.
    mutating func pass(_ seconds: Double, hearing clients: [Client]) {
        var left = seconds
        while left > 0 {
            for client in clients { control(client, .heartbeat(WireHeartbeat())) }
            pass(min(left, 0.5))
            left -= 0.5
        }
    }

    mutating func subscribe(_ topic: Topic) {
        perform(
            machine.subscriptionChanged(topic: Array(topic.name.utf8), subscribed: true, now: now)
        )
    }

    mutating func unsubscribe(_ topic: Topic) {
        perform(
            machine.subscriptionChanged(topic: Array(topic.name.utf8), subscribed: false, now: now)
        )
    }

    /// What a viewer would see of a topic, pulled in as many chunks as it takes.
    mutating func rows(of topic: Topic, asking client: Client, maxRows: UInt32 = 0) -> [WireRow] {
        var rows: [WireRow] = []
        var cursor: [UInt8] = []
        for _ in 0..<10_000 {
            var request = WireSnapshotRequest()
            request.request = 1
            request.topic = topic.name
            request.cursorBytes = cursor
            request.maxRows = maxRows
            let before = sent.count
            control(client, .snapshot(request))
            // Others may be told something first.
            let chunks = sent.dropFirst(before).compactMap { sent -> WireSnapshotChunk? in
                if case .snapshot(let chunk) = sent.frame.body { chunk } else { nil }
            }
            guard let chunk = chunks.first else { return rows }
            rows += chunk.rows
            if chunk.last { return rows }
            cursor = chunk.cursorBytes
        }
        return rows
    }

    mutating func row(_ id: TaskID, asking client: Client) -> WireRow? {
        guard let job = machine.job(of: id) else { return nil }
        return rows(of: .job(job), asking: client).first { $0.task == WireTaskRef(id) }
    }

    func answers(to client: Client) -> [WireBrokerFrame.OneOf_Body] {
        sent.filter { $0.route == client.route }.compactMap(\.frame.body)
    }
}

extension WireClientFrame.OneOf_Body {
    /// A client redeems a ticket, under this index.
    static func redemption(
        of ticket: TaskID,
        as index: UInt64 = 1,
        known: WireBindingKind? = nil
    ) -> Self {
        var redeem = WireRedeem()
        redeem.index = index
        redeem.ticket = WireTaskRef(ticket)
        if let known {
            redeem.known.kind = known
            redeem.known.attempt = known == .holder ? 1 : 0
        }
        return .redeem(redeem)
    }
}
