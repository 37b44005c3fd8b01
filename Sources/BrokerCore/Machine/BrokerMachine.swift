package import BusProtocol
package import TaskTree

/// The broker without sockets, clock or disk: (state, message, now) → (state, actions).
///
/// Everything the broker knows rests on the newest statements of task owners, kept in a
/// `ProgressTree`; the machine adds what only a broker can decide: who holds a ticket, who is
/// silent or lost, where a task is shown, when a job leaves, and what must be remembered.
///
/// Events come in through `receive`, `tick` and their siblings; each returns the actions to be
/// done, in order. A *step* settles the tree and publishes what changed; its number is the
/// sequence of every topic published in it.
package struct BrokerMachine {
    let configuration: CoreConfiguration
    let epoch: UInt64
    let began: Moment

    var tree: ProgressTree
    var records = TaskRecords()
    var jobRecords: [TaskID: JobRecord] = [:]
    var slots = SlotBook()
    var jobInSlot: [Int: TaskID] = [:]
    var places: [TaskID: ChildPlaces] = [:]
    /// Parents with children that use their places for something else than before.
    var crowdedParents: Set<TaskID> = []
    /// What owners have said of tasks of which the tree has a record; see ``StatedFacts``.
    var facts: [TaskID: StatedFacts] = [:]
    /// What the journal says about live jobs: their keys and slots.
    var knownJobs: [TaskID: KnownJob] = [:]

    var sessions: [SessionID: Session] = [:]
    var admissions = Admissions()
    /// Known from the journal: until their keyframes arrive only a part of their words is known.
    var restored: Set<SessionID> = []
    var sessionOf: [SessionCredential: SessionID] = [:]
    /// What sessions have been told in the current second.
    var refusalsTold: Set<ToldRefusal> = []
    var refusalCounts = RefusalCounts()

    var bindings: [TaskID: Binding] = [:]
    var tickets: [TaskID: TicketHolding] = [:]
    var detached: DetachedBook
    /// Requests carried out in this turn, and in batches that are not on disk yet.
    var detachedAnswers: [DetachedRequestID] = []
    var waitingDetachedAnswers: [UInt64: [DetachedRequestID]] = [:]

    var topics: [Topic: TopicState] = [:]
    var listings = Listings()
    var commands = CommandBook()
    var allowance = RequestAllowance()
    /// Tasks to be asked to stop because of one above them, when this turn is over or their
    /// session is there.
    var stopping: [SessionID: [UInt64]] = [:]

    var timers = Timers()
    var actions: [BrokerAction] = []
    var entries: [JournalEntry] = []
    var afterJournal: [BrokerAction] = []
    var batchNumber: UInt64 = 0
    var waitingBatches: [UInt64: [BrokerAction]] = [:]
    /// The disk takes nothing at the moment.
    var isJournalFailing = false
    /// So much waits for the disk that rows are no longer kept for it; see `journal(isFailing:…)`.
    var isJournalFull = false
    /// Sessions whose welcome waits for the journal, by batch; first those of this turn.
    var welcomes: [SessionID] = []
    var waitingWelcomes: [UInt64: [SessionID]] = [:]
    var placesToTell: [SessionID: WirePlaces] = [:]

    var stepNumber: UInt64
    var lastStep: Moment
    /// Something urgent came too soon after the last step.
    var awaitsEarlyStep = false
    var lastTick: Moment
    var lastSecond: Moment
    /// Unix seconds minus monotonic seconds, as of the last tick.
    var unixOffset: Double
    var isSettling: Bool
    /// Whether something arrived that the next step must look at.
    var isChanged = false
    var totalsChanged = true
    var attentionChanged = false
    /// Tasks that need attention, in the order of their ids when published.
    var attention: Set<TaskID> = []
    var undismissed = EndedJobs()
    /// First seen unattached: shown as jobs of their own after a while.
    var unattachedSince = AgeOrder<TaskID, Moment>()
    /// Bindings in the journal whose job was not known when they were written.
    var homelessBindings: Set<TaskID> = []
    /// Rows in the journal whose job was not known when they were written.
    var homelessRows: [TaskID: [UInt8]] = [:]
    /// Shown tasks whose fraction is not to be believed yet, because words of a former life are
    /// still on their way; and those of them whose turn has come.
    var unobserved: Set<TaskID> = []
    var observable: Set<TaskID> = []
    /// Dismissed before this broker began.
    var dismissedBefore: Set<TaskID> = []
    /// What was settled for a decision between steps and is published with the next one.
    var unpublished = StepChanges()
    /// What had left of sessions that are forgotten: their words may still be in the spool.
    var departures = Departures()
    var refused: UInt64 = 0

    /// A broker that has just come to life, with what the journal held.
    ///
    /// `epoch` is random for each life and never 0; `unixTime` is the wall clock at `now`.
    /// `ownSession` is random too: whose tasks the broker's own are, unless the journal says so.
    package init(
        configuration: CoreConfiguration = CoreConfiguration(),
        epoch: UInt64,
        ownSession: SessionID,
        journal: JournalContents = JournalContents(),
        now: Moment,
        unixTime: Double
    ) {
        self.configuration = configuration
        self.epoch = epoch
        detached = DetachedBook(session: ownSession)
        for case .detachedSession(let session, let lastIndex) in journal.entries {
            detached = DetachedBook(session: session)
            detached.lastIndex = lastIndex
        }
        var limits = RecordLimits()
        limits.perSession = configuration.tasksPerSession
        limits.total = configuration.tasks
        limits.exempt = detached.session
        tree = ProgressTree(limits: limits)
        began = now
        lastStep = now
        lastTick = now
        lastSecond = now
        unixOffset = unixTime - Double(now.nanoseconds) / 1e9
        stepNumber = 1
        isSettling = false
        restore(journal, now: now)
    }

    /// Takes in a decoded control frame that came over this route.
    ///
    /// `peer` is the pid at the other end as the kernel says it; nil where it does not.
    package mutating func receive(
        _ frame: WireClientFrame,
        from route: Route,
        peer: Int32? = nil,
        now: Moment
    ) -> [BrokerAction] {
        guard let credential = SessionCredential(frame.credentialBytes) else {
            return refuse(
                ProtocolViolation(
                    .badCredential,
                    "The credential is not 16 bytes; send those of the session's hello."
                ),
                from: route,
                now: now
            )
        }
        handle(frame, credential: credential, from: route, peer: peer, now: now)
        return finish(now: now)
    }

    /// Whether a session with this credential has said hello and is not forgotten.
    package func knows(_ credential: SessionCredential) -> Bool { sessionOf[credential] != nil }

    /// Takes in a decoded report.
    package mutating func receive(_ report: WireReport, now: Moment) -> [BrokerAction] {
        guard let credential = SessionCredential(report.credentialBytes) else {
            refused += 1
            return []
        }
        // Nobody is known there who could be asked: who says hello is asked for everything.
        guard let id = sessionOf[credential] else { return [] }
        apply(report, of: id, now: now)
        return finish(now: now)
    }

    /// Takes note of a frame that could not be decoded, and says so to its sender if there is a route.
    package mutating func refuse(
        _ violation: ProtocolViolation,
        from route: Route?,
        now: Moment
    ) -> [BrokerAction] {
        refused += 1
        totalsChanged = true
        if let route {
            send(
                refusal(violation.code, violation.sentence, request: violation.request),
                to: route
            )
        }
        log(.debug, "refused a frame", ["code": violation.code.name, "why": violation.sentence])
        return finish(now: now)
    }

    /// The batch is on disk: what waited for it may be said.
    package mutating func journalled(batch: UInt64, now: Moment) -> [BrokerAction] {
        actions += waitingBatches.removeValue(forKey: batch) ?? []
        welcomed(waitingWelcomes.removeValue(forKey: batch) ?? [])
        answerDetached(waitingDetachedAnswers.removeValue(forKey: batch) ?? [])
        return finish(now: now)
    }

    /// Time has passed: looks at what is due, settles the tree, publishes what changed.
    package mutating func tick(now: Moment, unixTime: Double) -> [BrokerAction] {
        unixOffset = unixTime - Double(now.nanoseconds) / 1e9
        forgiveOwnAbsence(now: now)
        lastTick = now
        runTimers(now: now)
        if now.seconds(since: lastSecond) >= 1 {
            lastSecond = now
            everySecond(now: now)
        }
        step(now: now)
        publishSummaries(now: now)
        publishBeats(now: now)
        return finish(now: now)
    }

    /// The broker is about to end: a last step, so that viewers have the newest state.
    package mutating func drain(now: Moment) -> [BrokerAction] {
        step(now: now)
        publishSummaries(now: now)
        return finish(now: now)
    }

    /// Whether nobody is there: no session, no viewer, no subscription, no request just now.
    ///
    /// Detached tasks keep no broker: the next request starts one, which has them from the journal.
    package var isIdle: Bool {
        topics.isEmpty && (detached.lastRequest.map { lastTick.seconds(since: $0) >= 1 } ?? true)
            && !sessions.values.contains { session in
                switch session.phase {
                case .live, .closing, .awaited: true
                case .lost, .ended: false
                }
            }
    }

    /// Whether the next tick has something to do beyond looking at the clock.
    package var isBusy: Bool {
        isChanged || isSettling || tree.hasPending || !unpublished.isEmpty || areSummariesDue
    }

    /// When a step is due before the next tick, because of something urgent.
    package var nextEarlyStep: Moment? {
        guard awaitsEarlyStep else { return nil }
        return lastStep.advanced(bySeconds: configuration.earlyStepEvery)
    }

    /// When the next timer is due; a tick then finds something to decide.
    package var nextTimer: Moment? { timers.next }

    /// Hands over what has been gathered; journal entries become one batch.
    mutating func finish(now: Moment) -> [BrokerAction] {
        #if PROGRESSBUS_INTERNAL_CHECKS
        checkInvariants()
        #endif
        sendStops()
        if isJournalFailing {
            var (waiting, ids) = (afterJournal, welcomes)
            sendWelcomes(from: &waiting, to: &ids)
            (afterJournal, welcomes) = (waiting, ids)
            answerDetached(detachedAnswers)
            detachedAnswers = []
        }
        if !entries.isEmpty {
            batchNumber += 1
            actions.append(.journal(batch: batchNumber, entries))
            if !afterJournal.isEmpty {
                waitingBatches[batchNumber] = afterJournal
            }
            if !welcomes.isEmpty { waitingWelcomes[batchNumber] = welcomes }
            if !detachedAnswers.isEmpty { waitingDetachedAnswers[batchNumber] = detachedAnswers }
            entries = []
        } else {
            actions += afterJournal
            welcomed(welcomes)
        }
        welcomes = []
        // Each has entries of its own, so that there was a batch to wait for.
        detachedAnswers = []
        afterJournal = []
        defer { actions = [] }
        return actions
    }

    /// The welcomes of these sessions are out: now they may be told where their tasks are shown.
    mutating func welcomed(_ ids: [SessionID]) {
        for id in ids where sessions[id] != nil {
            sessions[id]?.isWelcomed = true
            tellAllPlaces(of: id)
            sendHeld(to: id)
        }
        sendStops()
    }

    mutating func send(_ body: WireBrokerFrame.OneOf_Body, to route: Route) {
        guard route != .nobody else { return }
        actions.append(.send(route, frame(body)))
    }

    /// Says this once everything gathered so far is on disk.
    mutating func sendJournalled(_ body: WireBrokerFrame.OneOf_Body, to route: Route) {
        guard route != .nobody else { return }
        afterJournal.append(.send(route, frame(body)))
    }

    func frame(_ body: WireBrokerFrame.OneOf_Body) -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = epoch
        frame.body = body
        return frame
    }

    mutating func log(_ level: LogLevel, _ text: String, _ fields: [String: String] = [:]) {
        actions.append(.log(level, text, fields))
    }

    /// Steps are this far apart in sequences, so that one step may publish several updates.
    static let stride: UInt64 = 65_536

    /// The sequence of what the current step publishes.
    var publishedSequence: UInt64 { stepNumber &* Self.stride }

    /// The moment of a point in Unix seconds, held where a moment can represent it.
    func moment(unix seconds: Double) -> Moment {
        let monotonic = seconds - unixOffset
        guard monotonic.isFinite else { return lastTick }
        // So far apart that the length between any two can still be told.
        return Moment(nanoseconds: Int64(min(max(monotonic, -4e9), 4e9) * 1e9))
    }

    /// Unix seconds at this moment.
    ///
    func unix(_ moment: Moment) -> Double {
        Self.shownTime(Double(moment.nanoseconds) / 1e9 + unixOffset)
    }

    /// A time that viewers accept, whenever somebody says to have begun or ended.
    static func shownTime(_ seconds: Double) -> Double {
        min(max(0, seconds), ProtocolLimits.maxUnixTime)
    }
}
