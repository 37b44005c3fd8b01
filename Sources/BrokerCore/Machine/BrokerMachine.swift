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
    var clock: BrokerClock
    var tree: ProgressTree
    /// What is kept of each task beside the tree.
    var records = TaskRecords()
    var knownTasks = KnownTasks()
    var board = BoardLayout()
    var sessions = SessionDirectory()
    var tickets = TicketBook()
    var detached: DetachedBook
    var publication: Publication
    var commands = CommandBook()
    var outbox: Outbox

    /// A broker that has just come to life, with what the journal held.
    ///
    /// `epoch` is random for each life and never 0; `unixTime` is the wall clock at `now`.
    /// `ownSession` is random too: it is the session of the broker's own tasks, the detached ones,
    /// unless the journal names another.
    package init(
        configuration: CoreConfiguration = CoreConfiguration(),
        epoch: UInt64,
        ownSession: SessionID,
        journal: [JournalEntry] = [],
        now: Moment,
        unixTime: Double
    ) {
        self.configuration = configuration
        detached = DetachedBook(session: ownSession)
        for case .detachedSession(let session, let lastIndex) in journal {
            detached = DetachedBook(session: session)
            detached.lastIndex = lastIndex
        }
        var limits = RecordLimits()
        limits.perSession = configuration.tasksPerSession
        limits.undescribedPerSession = configuration.undescribedPerSession
        limits.total = configuration.tasks
        limits.exempt = detached.session
        tree = ProgressTree(limits: limits)
        clock = BrokerClock(now: now, unixTime: unixTime)
        publication = Publication(lastStep: now)
        outbox = Outbox(epoch: epoch)
        board.leavingRoom = configuration.looksPerTick
        sessions.sweepRoom = configuration.looksPerTick
        restore(journal, now: now)
    }

    /// Takes in a decoded control frame that came over this route.
    ///
    /// `peer` is the pid at the other end as the kernel says it; nil where it does not. `member` is
    /// the sender, where the broker has keys; the caller has already checked that it may send this
    /// frame.
    package mutating func receive(
        _ frame: WireClientFrame,
        from route: Route,
        peer: Int32? = nil,
        member: String? = nil,
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
        let way = Admissions.Way(
            route: route == .nobody ? nil : route,
            process: peer,
            member: member
        )
        handle(frame, credential: credential, from: route, by: way, now: now)
        return finish(now: now)
    }

    /// Whether a session with this credential has said hello and is not forgotten.
    package func knows(_ credential: SessionCredential) -> Bool {
        sessions.byCredential[credential] != nil
    }

    /// Takes in a decoded report.
    package mutating func receive(
        _ report: WireReport,
        member: String? = nil,
        now: Moment
    ) -> [BrokerAction] {
        guard let credential = SessionCredential(report.credentialBytes) else {
            sessions.refused += 1
            return []
        }
        // No session has this credential. After the welcome its client reports everything again.
        guard let id = sessions.byCredential[credential] else { return [] }
        if let member, !isOwner(member, of: id) { return finish(now: now) }
        apply(report, of: id, now: now)
        return finish(now: now)
    }

    /// The batch is on disk: sends what has waited for it.
    package mutating func journalled(batch: UInt64, now: Moment) -> [BrokerAction] {
        say(outbox.journalled(batch))
        return finish(now: now)
    }

    /// Time has passed: looks at what is due, settles the tree, publishes what changed.
    package mutating func tick(now: Moment, unixTime: Double) -> [BrokerAction] {
        clock.unixOffset = unixTime - Double(now.nanoseconds) / 1e9
        resetLivenessAfterStall(now: now)
        clock.lastTick = now
        continueSweeps(now: now)
        continueLeaving(now: now)
        adoptOrphans(now: now)
        forgetAbandoned()
        runTimers(now: now)
        if now.seconds(since: clock.lastSecond) >= 1 {
            clock.lastSecond = now
            everySecond(now: now)
        }
        findOwners(now: now)
        step(now: now)
        sayParts(now: now)
        publishSummaries(now: now)
        publishHosts(now: now)
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
        publication.topics.isEmpty
            && (detached.lastRequest.map { clock.lastTick.seconds(since: $0) >= 1 } ?? true)
            && sessions.admissions.count == 0
    }

    /// Whether the next tick has something to do beyond looking at the clock.
    package var isBusy: Bool {
        publication.isChanged || sessions.isSettling || tree.hasPending
            || !publication.unpublished.isEmpty || areSummariesDue || !sessions.sweeps.isEmpty
            || !board.leaving.isEmpty || !board.parts.conversations.isEmpty
    }

    /// When a step is due before the next tick, because of something urgent.
    package var nextEarlyStep: Moment? {
        guard publication.awaitsEarlyStep else { return nil }
        return publication.lastStep.advanced(bySeconds: configuration.earlyStepEvery)
    }

    /// When the next timer is due; a tick then finds something to decide.
    package var nextTimer: Moment? { clock.timers.next }

    /// Hands over what has been gathered; journal entries become one batch.
    mutating func finish(now: Moment) -> [BrokerAction] {
        if tree.markedCount >= Self.changesPerStep { step(now: now) }
        #if PROGRESSBUS_INTERNAL_CHECKS
        checkInvariants()
        #endif
        sendStops()
        if outbox.isJournalFailing { say(outbox.takeUnwritten()) }
        say(outbox.closeBatch())
        return inEnvelopes(outbox.takeActions())
    }

    /// Sends what need not wait for the disk any more.
    private mutating func say(_ waiting: Outbox.Waiting) {
        outbox.actions += waiting.actions
        welcomed(waiting.welcomes)
        answerDetached(waiting.detachedAnswers)
    }

    /// The welcomes of these sessions are out: sends them what waited for that.
    ///
    /// These are the places of their tasks, and the commands and requests to stop that were held
    /// back.
    mutating func welcomed(_ ids: [SessionID]) {
        for id in ids where sessions[id] != nil {
            sessions[id]?.isWelcomed = true
            tellAllPlaces(of: id)
            sendHeld(to: id)
        }
        sendStops()
    }

    /// Sends this at once.
    mutating func send(_ body: WireBrokerFrame.OneOf_Body, to route: Route) {
        guard route != .nobody else { return }
        outbox.actions.append(outbox.action(body, to: route))
    }

    /// Sends this once everything gathered so far is on disk.
    mutating func sendJournalled(_ body: WireBrokerFrame.OneOf_Body, to route: Route) {
        guard route != .nobody else { return }
        outbox.afterJournal.actions.append(outbox.action(body, to: route))
    }

    mutating func log(_ level: LogLevel, _ text: String, _ fields: [String: String] = [:]) {
        outbox.actions.append(.log(level, text, fields))
    }

    /// Steps are this far apart in sequences, so that one step may publish several updates.
    static let stride: UInt64 = 65_536

    /// The sequence of what the current step publishes.
    var publishedSequence: UInt64 { publication.stepNumber &* Self.stride }

    /// The moment of a point in Unix seconds, held where a moment can represent it.
    func moment(unix seconds: Double) -> Moment {
        let monotonic = seconds - clock.unixOffset
        guard monotonic.isFinite else { return clock.lastTick }
        // Between these bounds the distance of any two moments fits into 64 bits of nanoseconds.
        return Moment(nanoseconds: Int64(min(max(monotonic, -4e9), 4e9) * 1e9))
    }

    /// Unix seconds at this moment.
    func unix(_ moment: Moment) -> Double {
        Self.shownTime(Double(moment.nanoseconds) / 1e9 + clock.unixOffset)
    }

    /// Limits a time, such as a stated begin or end, to the range that viewers accept.
    static func shownTime(_ seconds: Double) -> Double {
        min(max(0, seconds), ProtocolLimits.maxUnixTime)
    }
}
