package import BusProtocol
package import TaskTree

/// The bridge of a broker that has joined a fleet, without sockets and clock.
///
/// It tells the other bridges, by way of NATS, what the broker's own pages show (`BoardReader`,
/// `OwnSlots`), tells the broker what others show (`OtherBrokers`), and claims pages
/// (`PageClaims`). A record of a slot holds the whole row and a sequence, so that it may be
/// published again, read again, or lost.
package struct FleetMachine {
    package enum Action {
        case subscribe(Topic)
        case unsubscribe(Topic)
        case send(WireClientFrame)
        /// Put the record into the stream as the newest of its subject.
        case put(FleetSubject, WireFleetRecord)
        /// Put the record into the stream if that has none under this subject yet.
        case claim(FleetSubject, WireFleetRecord)
        /// Publish the record to the bridges that are connected; NATS keeps nothing.
        case publish(FleetSubject, WireFleetRecord)
        /// Read the whole stream, and make it if there is none.
        case read
        /// Remember these pages of the broker in its file.
        case save(pages: [Int])
        case warn(String)
    }

    package enum Event {
        case frame(WireBrokerFrame)
        case update(Topic, WireUpdate)
        case connected
        case disconnected
        case record(FleetSubject, WireFleetRecord, isStored: Bool)
        /// The whole stream has come as records.
        case wasRead
        case readFailed
        /// What has become of a `put` or a `claim`.
        case answered(FleetSubject, isKept: Bool)
        /// Some records may have been dropped.
        case missed
        /// What keeps the bridge from NATS, or from the stream.
        case trouble(String)
        /// Why a record cannot be read.
        case unreadable(String)
        /// A frame could not be sent to the broker.
        case notSent
    }

    /// Seconds between two beats, and between two readings of the stream.
    private static let beatEvery = 1.0
    private static let readEvery = 2.0
    /// Seconds that each other broker adds to `readEvery`: the servers deliver the stream to them
    /// too.
    private static let readEveryPerBroker = 0.005
    /// Seconds after which own pages are claimed again; records of slots are put again as often.
    private static let claimedEvery = 60.0
    /// Seconds without an answer of the broker after which the bridge logs a warning.
    private static let brokerPatience = 5.0

    let broker: UInt64
    private let host: String
    var reader: BoardReader
    private var claims: PageClaims
    private var slots = OwnSlots()
    var others = OtherBrokers()
    var questions = ForeignQuestions()
    var actions: [Action] = []

    private var life = BridgeLife()
    private(set) var isConnected = false
    private var isReading = false
    private var readDue: Moment?
    private var readAt: Moment?
    private var beatDue: Moment
    private var claimsDue: Moment
    /// Since when the broker does not answer; `nil` while it does.
    private var aloneSince: Moment?
    /// Own slots of which the reading under way has found records.
    private var stored: Set<Int> = []
    /// How many pages the broker needs: one at once, and the next before the last one is full, so
    /// that a job seldom waits for its page.
    private var needed = 1
    /// Slots at the end of the last page: once a job is in one of them, the next page is claimed.
    private static let reserve = 16
    private var warned: Set<String> = []
    private var trouble = BridgeTrouble()

    /// Makes the bridge of a broker; `pages` is what `Action.save` said last.
    package init(
        broker: UInt64,
        host: String,
        pages: [Int],
        hello: WireHello,
        credential: [UInt8],
        at now: Moment
    ) {
        self.broker = broker
        self.host = host
        reader = BoardReader(hello: hello, credential: credential, at: now)
        claims = PageClaims(broker: broker, own: pages)
        beatDue = now
        claimsDue = now.advanced(bySeconds: Self.claimedEvery)
        watchPages()
    }

    package mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    // MARK: - Events

    package mutating func receive(_ event: Event, at now: Moment, unixTime: Double) {
        switch event {
        case .frame(let frame): receive(frame, at: now)
        case .update(let topic, let update): reader.receive(update, of: topic, at: now)
        case .connected:
            isConnected = true
            warned = []
            trouble.connect()
            life.connect(at: now)
            readDue = now.advanced(bySeconds: share)
        case .disconnected:
            isConnected = false
        case .record(let subject, let record, let isStored):
            receive(record, of: subject, isStored: isStored, at: now, unixTime: unixTime)
        case .wasRead:
            isReading = false
            slots.miss(allBut: stored)
            if life.number == 0 { life.begin(at: now, unixTime: unixTime) }
        case .readFailed:
            isReading = false
            wantReading(at: now)
        case .answered(.page(let page), isKept: true):
            hearClaim(page, of: broker, isKept: true, at: now)
        case .answered(.page(let page), isKept: false):
            if claims.claimFailed(page) { wantReading(at: now) }
        // Reading the stream shows what is to be put again.
        case .answered(.slot, isKept: false): wantReading(at: now)
        case .answered: break
        case .missed: wantReading(at: now)
        case .trouble(let sentence):
            trouble.note(sentence)
            warn(sentence)
        case .unreadable(let sentence): warn(sentence)
        case .notSent:
            guard reader.isWelcome else { return reader.notSent(at: now) }
            others.tellAll(isForgotten: false)
            trouble.tellAgain()
        }
    }

    private mutating func receive(_ frame: WireBrokerFrame, at now: Moment) {
        if case .fleetQuestion(let question)? = frame.body { return ask(question) }
        if case .fleetSession(let said)? = frame.body { return passOn(said) }
        if let (answer, other) = questions.answer(frame, of: broker) {
            if let other { say(answer, to: other) }
            return
        }
        switch reader.receive(frame, at: now) {
        case .nothing: break
        case .welcomed:
            warned = []
            others.tellAll(isForgotten: true)
            slots.forgetSequences()
            tellPages()
        case .page(let page, let rows):
            take(rows, page: page)
        case .refused(let sentence):
            warn("the broker refuses: \(sentence)")
        }
    }

    private mutating func take(_ rows: [WireRow], page: Int) {
        guard let place = claims.own.firstIndex(of: page) else {
            // The page behind all claimed ones shows jobs that wait for a page.
            if !rows.isEmpty { needed = claims.own.count + 1 }
            return
        }
        slots.take(rows, page: page)
        let last = rows.map { Int($0.description_p.slot) }.max() ?? 0
        let isNearlyFull = last > (page + 1) * ProtocolLimits.boardSlots - Self.reserve
        needed = max(needed, place + (isNearlyFull ? 2 : 1))
    }

    private mutating func receive(
        _ record: WireFleetRecord,
        of subject: FleetSubject,
        isStored: Bool,
        at now: Moment,
        unixTime: Double
    ) {
        switch subject {
        case .page(let page):
            guard isStored || record.broker != broker else { return hearTwin(record, at: now) }
            if record.broker == broker { life.note(record.life, at: now) }
            hearClaim(page, of: record.broker, isKept: isStored, at: now)
        case .slot(let slot, let owner) where record.broker == owner:
            hear(record, slot: slot, isStored: isStored, at: now, unixTime: unixTime)
        case .beat(let owner) where record.broker == owner:
            hear(record, slot: nil, isStored: isStored, at: now, unixTime: unixTime)
        case .message(let kind, let asked, let other)
        where other != broker && [broker, WireFleetQuestion.allBrokers].contains(asked):
            switch kind {
            case .question where record.hasQuestion: hear(record.question, of: other, at: now)
            case .answer where record.hasAnswer && asked == broker: tell(record.answer, of: other)
            case .session where record.hasSession && asked == broker:
                bring(record.session, of: other)
            case .question, .answer, .session: break
            }
        case .slot, .beat, .message: break
        }
    }

    private mutating func hearClaim(_ page: Int, of owner: UInt64, isKept: Bool, at now: Moment) {
        let own = claims.own
        switch claims.hear(page, of: owner, isKept: isKept) {
        case .nothing: return
        case .disputed: return wantReading(at: now)
        case .changed(let former):
            others.retell(page: page, of: owner)
            if let former { others.retell(page: page, of: former) }
        }
        if claims.own != own {
            actions.append(.save(pages: claims.own))
            slots.keep(pages: claims.own)
            // A job that waited may already be in its slot on the page just claimed.
            reader.readAgain()
            tellPages()
        }
        watchPages()
    }

    /// Hears the record of a slot, or a beat if `slot` is `nil`.
    private mutating func hear(
        _ record: WireFleetRecord,
        slot: Int?,
        isStored: Bool,
        at now: Moment,
        unixTime: Double
    ) {
        guard record.broker == broker else {
            let isBehind = others.hear(
                record,
                slot: slot,
                isStored: isStored,
                at: now,
                unixTime: unixTime
            )
            if isBehind, !isReading { wantReading(at: now) }
            return
        }
        guard isStored, let slot else { return hearTwin(record, at: now) }
        // A record of this broker in the stream, of this life or of another one.
        life.note(record.life, at: now)
        stored.insert(slot)
        slots.hearStored(slot, isOfThisLife: record.life == life.number, sequence: record.sequence)
    }

    /// Warns of another bridge with the number of this one.
    private mutating func hearTwin(_ record: WireFleetRecord, at now: Moment) {
        guard life.hear(record.life, at: now) else { return }
        let sentence =
            "another bridge speaks for this broker, on \(record.host): each host needs a file of its own "
            + "from `progressbus bus add`, and a state directory of its own"
        trouble.note(sentence)
        warn(sentence)
    }

    // MARK: - Time

    /// Does what is due; called 40 times a second.
    package mutating func tick(at now: Moment, unixTime: Double) {
        others.tick(at: now, unixTime: unixTime)
        questions.tick(at: now)
        actions += reader.takeFrames(at: now).map { .send($0) }
        missBroker(at: now)
        trouble.look(at: now, isConnected: isConnected)
        if reader.isWelcome {
            if trouble.isToTell { tellPages() }
            let news = others.takeNews(claims: claims)
            actions += news.map { .send(reader.frame(.fleetRows($0))) }
            if !news.isEmpty { watchPages() }
        }
        guard isConnected else { return }
        if let due = readDue, due <= now, !isReading { read(at: now) }
        // Without its broker the bridge is silent, as if it were gone.
        guard life.number != 0, reader.isWelcome else { return }
        if life.hasLostTwin(at: now) {
            life.begin(at: now, unixTime: unixTime)
            slots.beginAnew()
            // The twin may have used other slots.
            wantReading(at: now)
        }
        if claimsDue <= now {
            claimsDue = now.advanced(bySeconds: Self.claimedEvery)
            claims.doubtOwn()
        }
        if !isReading, let page = claims.next(needed: needed) {
            actions.append(.claim(.page(page), record(at: unixTime)))
        }
        if reader.hasRead(claims.own) { putSlots(at: now, unixTime: unixTime) }
        if beatDue <= now {
            beatDue = now.advanced(bySeconds: Self.beatEvery)
            var record = record(at: unixTime)
            record.sequence = slots.sequence
            actions.append(.publish(.beat(of: broker), record))
        }
    }

    private mutating func missBroker(at now: Moment) {
        guard !reader.isWelcome else { return aloneSince = nil }
        let since = aloneSince ?? now
        aloneSince = since
        guard now.seconds(since: since) >= Self.brokerPatience else { return }
        warn("the broker does not answer; the bridge waits for it")
    }

    private mutating func putSlots(at now: Moment, unixTime: Double) {
        for due in slots.takeDue(at: now, hosts: others.countWithNews + 1) {
            var record = record(at: unixTime)
            record.sequence = due.sequence
            if let row = due.row { record.row = row }
            actions.append(.put(.slot(due.slot, of: broker), record))
        }
    }

    private mutating func read(at now: Moment) {
        readDue = nil
        readAt = now
        isReading = true
        stored = []
        claims.beginReading()
        actions.append(.read)
    }

    private mutating func wantReading(at now: Moment) {
        guard readDue == nil else { return }
        let pause = Self.readEvery + Self.readEveryPerBroker * Double(others.count)
        let soonest = readAt?.advanced(bySeconds: pause) ?? now
        readDue = max(soonest, now.advanced(bySeconds: share))
    }

    /// Seconds to wait before a reading, so that not all bridges read at once what all have missed.
    private var share: Double {
        Double(broker % 1_024) / 1_024 * Self.readEveryPerBroker * Double(others.count)
    }

    // MARK: - Pages

    /// Watches own pages, and the page behind all others, on which the broker shows jobs that have
    /// no page yet.
    private mutating func watchPages() {
        let free = max(others.reach, (claims.own.max() ?? -1) + 1)
        let (new, old) = reader.watch(Set(claims.own + [free]))
        actions += old.map { .unsubscribe($0) } + new.map { .subscribe($0) }
    }

    private mutating func tellPages() {
        guard reader.isWelcome else { return }
        var pages = WireFleetPages()
        pages.pages = claims.own.map { UInt32($0) }
        pages.trouble = trouble.tell()
        actions.append(.send(reader.frame(.fleetPages(pages))))
    }

    private func record(at unixTime: Double) -> WireFleetRecord {
        var record = WireFleetRecord()
        record.broker = broker
        record.life = life.number
        record.host = host
        record.time = max(unixTime, 0)
        return record
    }

    /// Logs each sentence once, until the broker or NATS has been away.
    private mutating func warn(_ sentence: String) {
        guard warned.count < 100, warned.insert(sentence).inserted else { return }
        actions.append(.warn(sentence))
    }
}
