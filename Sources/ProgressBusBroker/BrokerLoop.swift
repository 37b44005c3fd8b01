import BrokerCore
import BrokerJournal
import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// The broker's one loop: messages and time into the machine, its actions out of it.
///
/// Owns the ROUTER and the XPUB and belongs to one thread. A turn waits, takes in what has arrived
/// in bounded portions, and ticks if a tick is due. Only the wait blocks for long. A frame that
/// cannot be sent at once is dropped and counted, or queued if it is an answer to a command. The
/// journal belongs to ``JournalThread``; a turn itself uses only the files of the spool and of
/// access. Decoding refuses instead of trapping.
struct BrokerLoop: ~Copyable {
    /// Why the loop came to its end.
    enum Ending: String {
        case stopped = "asked to"
        case journalFound = "the journal of an earlier broker can be read now"
        case unfindable = "its lock or a socket is gone, so that nobody finds it"
        case renewed = "it takes its next key"
        case idle = "nobody is here"
    }

    /// When the loop last did what it does only now and then, and the counters that it last logged.
    struct Logged {
        var counters = LoopCounters()
        var at: Moment
        /// When the loop last logged that a viewer was cut off.
        var cutAt: Moment?
        /// When the loop last looked for expired keys.
        var accessAt: Moment?
    }

    /// What one turn takes from each source at most, so that none starves the others or the tick.
    static let controlPerTurn = 256
    static let subscriptionsPerTurn = 1_024
    static let reportsPerTurn = 256
    /// Seconds that one turn spends on control, and on reports, at most; it finishes the message
    /// that it is at.
    static let timePerSource = 0.01
    /// Seconds between ticks while nothing changes and no timer is due.
    static let quietTick = 0.25
    /// Milliseconds until a viewer without room for an answer is tried again.
    static let answerRetry = 2
    /// Seconds for taking in, at the end, what had arrived before.
    static let drainTime = 0.5
    /// Milliseconds that the last messages have to leave the process.
    static let linger: Int32 = 200

    var machine: BrokerMachine
    let control: ZeroMQSocket
    let updates: ZeroMQSocket
    let reports: ReportQueue
    let ingress: BrokerThread
    let inbox: LoopInbox
    let journal: JournalThread
    let idleExit: Double?
    /// Whether all clients are on this machine, so that the kernel tells their processes.
    let isLocal: Bool
    /// Nil if everybody is let in who reaches the endpoint.
    let access: AccessKeeper?
    /// The access requests of this turn: written to the file together, then answered.
    var accessRequests: [(request: WireAccessRequest, key: BusKey, route: Route)] = []
    let tickSeconds: Double
    /// Nil where the endpoint has no directory.
    var files: EndpointFiles?
    let logger: Logger
    /// Nil where the endpoint has no directory.
    var spool: SpoolCollector?
    var processes: ProcessWatcher
    var killSwitch: KillSwitch

    var subscriptions: SubscriptionBook
    /// Answers to commands for which their viewers had no room.
    var answers = AnswerQueue()
    var counters = LoopCounters()
    /// The counters as they were last logged, and when.
    var logged = Logged(at: Clocks.now)
    /// Report messages taken from the queue and not worked off yet.
    var backlog = FairBacklog()
    var lastTick = Clocks.now
    var idleSince: Moment?
    var isHeldUp = false

    deinit {
        // The ingress thread owns the third socket. When the last reference to the context goes,
        // the context waits until libzmq has closed the listeners.
        ingress.stop()
    }

    /// Serves until asked to stop or, if configured, until idle long enough.
    mutating func run() throws(ZeroMQError) -> Ending {
        var wakeItem = [PollItem.descriptor(inbox.wake.descriptor)]
        var allItems = wakeItem + [control.pollItem, updates.pollItem]
        let processItem = allItems.count
        if let item = processes.pollItem { allItems.append(item) }
        var isMore = false
        while true {
            let fill = journal.fill
            let isFailing = inbox.isJournalFailing
            try perform(
                machine.journal(
                    isFailing: isFailing,
                    isFull: fill != .room,
                    now: Clocks.now
                )
            )
            // While the disk fails, the machine journals less, and the loop goes on up to twice the
            // bound.
            if isFailing ? fill == .overfull : fill != .room {
                // The loop takes in nothing more. It does not tick either: without hearing sessions
                // the machine would take them for lost. Afterwards the machine forgives the pause.
                holdUp()
                _ = try poll(&wakeItem, timeout: Int(Self.quietTick * 1_000))
                if let ending = try takeInbox() { return ending }
                continue
            }
            isHeldUp = false
            _ = try poll(&allItems, timeout: isMore ? 0 : millisecondsToTick())
            // Before the messages: the last frames of a process that has ended are then among them,
            // or arrive within its grace.
            if allItems[processItem...].contains(where: \.isReadable) {
                processes.look(now: Clocks.now)
            }
            if allItems[0].isReadable, let ending = try takeInbox() { return ending }
            if !answers.isEmpty { try sendWaitingAnswers() }
            let isMoreSpooled = isFailing ? false : try takeSpool()
            let isMoreSaid = try takeMessages(
                isSaid: allItems[1].isReadable,
                isSubscribed: allItems[2].isReadable
            )
            try tellGone(isDrained: !isMoreSaid)
            isMore = isMoreSaid || isMoreSpooled
            // After the messages: a broker that was stopped for a while first hears its sessions,
            // then decides which are lost.
            guard try tickIfDue() else { continue }
            if isIdleLongEnough() { return .idle }
            if isUnfindable() { return .unfindable }
            if access?.isNextKeyDue == true { return .renewed }
        }
    }

    /// Takes in what arrived before the end, then sends and publishes the machine's last frames.
    mutating func drain() throws(ZeroMQError) {
        ingress.stop()
        let end = Clocks.now.advanced(bySeconds: Self.drainTime)
        while try takeMessages(), Clocks.now < end {}
        try tick(now: Clocks.now)
        try perform(machine.drain(now: Clocks.now))
        try sendWaitingAnswers()
        logDropped(now: Clocks.now, isLast: true)
    }

    /// Sends the acknowledgements of the last journalled batches, and closes the sockets.
    ///
    /// Both are closed when it returns; libzmq ends their listeners by the time the context goes.
    consuming func acknowledgeAndClose() throws(ZeroMQError) {
        _ = try takeInbox()
        try control.set(.linger, to: Self.linger)
        try updates.set(.linger, to: Self.linger)
        // The end of this scope closes everything.
    }

    /// Takes what other threads handed over; returns why the broker is to end, if it is.
    private mutating func takeInbox() throws(ZeroMQError) -> Ending? {
        // Before taking: what is added later wakes again.
        inbox.wake.drain()
        let contents = inbox.take()
        if let failure = contents.failure { throw failure }
        for batch in contents.journalled {
            killSwitch.pass(.afterJournal)
            try perform(machine.journalled(batch: batch, now: Clocks.now))
            killSwitch.pass(.afterAcknowledgement)
        }
        if contents.isStopping { return .stopped }
        return contents.hasFoundJournal ? .journalFound : nil
    }

    /// Takes one portion from each source that has something; returns whether there may be more.
    private mutating func takeMessages(
        isSaid: Bool = true,
        isSubscribed: Bool = true
    ) throws(ZeroMQError) -> Bool {
        // Subscriptions first: a beat answers each, and updates from the other messages then
        // already reach the new subscriber.
        let moreSubscriptions = isSubscribed ? try takeSubscriptions() : false
        let moreControl = isSaid ? try takeControl() : false
        let moreReports = try takeReports()
        return moreSubscriptions || moreControl || moreReports
    }

    private mutating func takeControl() throws(ZeroMQError) -> Bool {
        let now = Clocks.now
        let end = now.advanced(bySeconds: Self.timePerSource)
        for _ in 0..<Self.controlPerTurn where Clocks.now < end {
            guard
                let message = try control.receive(withSender: access == nil ? .address : .user)
            else {
                try answerAccessRequests()
                return false
            }
            // A ROUTER puts the route in front of whatever the peer sent.
            let route = Route(bytes: message.parts[0])
            let actions: [BrokerAction]
            do {
                let frame = try Frame.decodeClient(try Self.onlyPart(message.parts.dropFirst()))
                let member = try access?.sender(of: frame.body, with: message.key)
                if let key = message.key, case .access(let request) = frame.body {
                    accessRequests.append((request, key, route))
                    continue
                }
                var peer: Int32?
                switch frame.body {
                case .hello where isLocal, .detached where isLocal:
                    peer = message.peerAddress.flatMap(PeerConnection.pid(at:))
                default: break
                }
                actions = machine.receive(
                    frame,
                    from: route,
                    peer: peer,
                    member: member,
                    now: now
                )
            } catch {
                actions = machine.refuse(error, from: route, now: now)
            }
            try perform(actions)
        }
        try answerAccessRequests()
        return true
    }

    private mutating func takeReports() throws(ZeroMQError) -> Bool {
        let now = Clocks.now
        let end = now.advanced(bySeconds: Self.timePerSource)
        for _ in 0..<Self.reportsPerTurn where Clocks.now < end {
            // Before each message: what has come since may be of a session whose turn is next.
            let waiting = reports.take()
            if !waiting.isEmpty { backlog.add(waiting, isKnown: machine.knows) }
            guard let message = backlog.next() else { return false }
            let actions: [BrokerAction]
            do {
                let frame = try Self.onlyPart(message.parts[...])
                let member = try reporter(of: message)
                actions = machine.receive(try Frame.decodeReport(frame), member: member, now: now)
            } catch {
                actions = machine.refuse(error, from: nil, now: now)
            }
            reports.finished(message)
            try perform(actions)
        }
        return true
    }

    private mutating func tellGone(isDrained: Bool) throws(ZeroMQError) {
        for gone in processes.takeGone(now: Clocks.now, isDrained: isDrained) {
            try perform(
                machine.processGone(gone.session, gone.process, exit: gone.exit, now: Clocks.now)
            )
            // The process may have left its last words in the spool.
            spool?.lookSoon(at: Clocks.now)
        }
    }

    private static func onlyPart(
        _ parts: ArraySlice<[UInt8]>
    ) throws(ProtocolViolation) -> [UInt8] {
        guard let part = parts.first, parts.count == 1 else {
            throw ProtocolViolation(
                .malformed,
                "The message has \(parts.count) parts; send one frame in one part."
            )
        }
        return part
    }
}

// MARK: Time

extension BrokerLoop {
    /// When to tick next: soon while something changes, else at the next timer or after
    /// `quietTick`.
    private var nextTick: Moment {
        if let early = machine.nextEarlyStep { return early }
        let soon = lastTick.advanced(bySeconds: tickSeconds)
        if machine.isBusy { return soon }
        let quiet = lastTick.advanced(bySeconds: max(tickSeconds, Self.quietTick))
        return min(quiet, max(soon, machine.nextTimer ?? quiet))
    }

    private func millisecondsToTick() -> Int {
        let next = min(nextTick, processes.nextLook ?? nextTick)
        let milliseconds = next.milliseconds(since: Clocks.now)
        return answers.isEmpty ? milliseconds : min(milliseconds, Self.answerRetry)
    }

    private mutating func tickIfDue() throws(ZeroMQError) -> Bool {
        let now = Clocks.now
        guard now >= nextTick else { return false }
        try tick(now: now)
        logDropped(now: now)
        return true
    }

    private mutating func tick(now: Moment) throws(ZeroMQError) {
        lastTick = now
        subscriptions.sweep(now: now)
        forgetExpired(now: now)
        try perform(machine.tick(now: now, unixTime: Clocks.unixTime))
    }

    private mutating func isIdleLongEnough() -> Bool {
        guard let idleExit, machine.isIdle else {
            idleSince = nil
            return false
        }
        let since = idleSince ?? lastTick
        idleSince = since
        return lastTick.seconds(since: since) >= idleExit
    }

    private mutating func isUnfindable() -> Bool {
        guard let missing = files?.firstMissing(now: lastTick) else { return false }
        logger.warning(
            "somebody has removed what others find this broker by",
            metadata: ["path": "\(missing)"]
        )
        return true
    }

    private mutating func holdUp() {
        guard !isHeldUp else { return }
        isHeldUp = true
        logger.error(
            "too much waits to be written to the journal: nothing is taken in until it is written"
        )
    }
}
