import BusProtocol
import TaskTree

/// Decides everything that a reporting session says, and when.
///
/// Pure: it knows no clock, lock, thread or socket. Events come in as calls with the present
/// moment; what is to be done comes out of `next(at:)`, one action at a time. What it reads from
/// outside are the amounts of its tasks, at its ticks.
///
/// Bounds, which matter while no broker takes anything off its hands:
/// - tasks that have not ended: none of ours; a broker may refuse new ones;
/// - ended children: `endedChildrenLimit` per parent, older ones are folded into sums;
/// - ended jobs: `endedJobsLimit`, the oldest are forgotten and `close` says so;
/// - log lines: the newest `LogTail.limit`;
/// - indices told as removed by folds: `FoldBook.removedLimit` per parent.
struct ReportingMachine {
    /// The session, for the broker and for people.
    struct Identity: Sendable {
        var session: SessionID
        var credential: [UInt8]
        var process = WireProcess()
        /// Program and version, for people.
        var client = ""
    }

    /// What the machine wants done; done by the reporting thread, one at a time and in order.
    enum Action: Sendable {
        /// Send this on the reports socket, then call `reportTaken`.
        case report(WireReport)
        /// Send this on the control socket, then call `controlTaken`.
        case control(WireClientFrame)
        /// Let the tasks' handlers answer, then call `answered`.
        case deliver(RequestDelivery)
        /// The session is over: write this into the endpoint's spool, if it has one.
        case spool(LastWords)
        /// Tell somebody who waits in `sync` or `close` how it went.
        case finish(waiter: UInt64, isDone: Bool)
        /// Tell the people who run this program, once.
        case warn(String)
        /// Nothing to do until this moment, an event or a wake-up.
        case wait(until: Moment?)
        /// The session is over: close the sockets.
        case leave
    }

    /// Ended children kept as rows of their own under one parent.
    static let endedChildrenLimit = 1_000
    /// The same once the session keeps more than `manyEnded` ended tasks in all.
    static let endedChildrenLimitOfMany = 16
    static let manyEnded = 20_000
    /// Ended tasks kept because no more can be said of folding them away.
    static let mostEnded = 100_000
    /// Ended jobs kept until a broker has acknowledged them.
    static let endedJobsLimit = 1_000
    /// Frames of endings under way without an answer.
    static let endingsWindow = 16
    /// Nanoseconds between two early frames of endings.
    static let earlyGap: Int64 = 5_000_000
    /// Seconds by which two looks at the time of day may differ although nobody has set the clock.
    static let wallTolerance = 0.1

    let identity: Identity
    /// Nanoseconds between frames.
    let tick: Int64
    /// What to add to a moment, in seconds, for the time of day in Unix seconds; not known at first.
    private(set) var wallOffset: Double?
    /// When that was last asked for.
    var lookedAtWallClock: Moment?

    var tasks: SessionTasks = [:]
    var lastIndex: UInt64 = 0
    /// Of the last frame that was made; shared by reports and endings, never goes back.
    var sequence: UInt64 = 0
    var link = Link()
    var reports = Reports()
    var endings = Endings()
    var redemptions: [UInt64: Redemption] = [:]
    /// Redemptions that the present broker has not answered, and when to ask, again or for the
    /// first time.
    var unanswered: [UInt64: Moment] = [:]
    var requests = Requests()
    var waiters: [Waiter] = []
    /// Waiters that were answered and are to be told.
    var finished: [(id: UInt64, isDone: Bool)] = []
    var warnings: [String] = []
    var warnedCodes: Set<UInt32> = []
    var isClosed = false
    var hasLeft = false
    /// What nobody acknowledged was given out to be written down, or there was nothing.
    var hasSaidLastWords = false
    /// Goodbye was not said although there is somebody to say it to.
    var owesGoodbye = false
    /// What `wait` was told last; nil when the thread is awake.
    var sleep: Sleep?

    struct Sleep {
        var until: Moment?
    }

    init(identity: Identity, tickNanoseconds: Int64) {
        self.identity = identity
        tick = tickNanoseconds
    }

    /// The next thing to do; `wait` when there is nothing.
    mutating func next(at now: Moment) -> Action {
        sleep = nil
        if let warning = warnings.popLast() { return .warn(warning) }
        if let delivery = requests.deliveries.popLast() { return .deliver(delivery) }
        if let words = takeLastWords(at: now) { return .spool(words) }
        if let action = nextWaiter(at: now) { return action }
        if hasLeft {
            if let goodbye = lastGoodbye() { return .control(goodbye) }
            return .leave
        }
        if let frame = nextControl(at: now) { return .control(frame) }
        if let report = nextReport(at: now) { return .report(report) }
        let due = nextDue(at: now)
        sleep = Sleep(until: due)
        return .wait(until: due)
    }

    /// Whether the thread sleeps past something that has become due; it is then to be woken once.
    mutating func takeWake(at now: Moment) -> Bool {
        guard let sleep else { return false }
        let isUrgent =
            !warnings.isEmpty || !requests.deliveries.isEmpty || !finished.isEmpty || hasLeft
        if !isUrgent {
            guard let due = nextDue(at: now) else { return false }
            if let until = sleep.until, until <= due { return false }
        }
        self.sleep = nil
        return true
    }

    /// The earliest moment at which `next` has something to do, if nothing else happens.
    ///
    /// Asked after nearly every event, so whatever is usually empty is not even looped over; and
    /// mutating although it changes nothing, as otherwise the compiler copies the machine for it.
    mutating func nextDue(at now: Moment) -> Moment? {
        var due = Moment(nanoseconds: .max)
        func consider(_ moment: Moment?) {
            if let moment, moment < due { due = moment }
        }
        if link.isReporting {
            if reports.keyframe != nil {
                consider(max(now, reports.blockedUntil ?? now))
            } else {
                consider(reports.tickDue.map { max($0, reports.blockedUntil ?? $0) })
            }
        }
        let free = link.controlBlockedUntil ?? now
        consider(link.helloDue)
        if link.isWelcomed {
            if endings.hasSomething, endings.outstanding.count < Self.endingsWindow {
                consider(endings.due.map { max($0, free) })
            }
            consider(endings.repeatDue.map { max($0, free) })
            if !requests.answers.isEmpty { consider(max(now, free)) }
            if !unanswered.isEmpty {
                for due in unanswered.values { consider(max(due, free)) }
            }
            consider(max(link.heartbeatDue, free))
        }
        if !finished.isEmpty || !warnings.isEmpty || !requests.deliveries.isEmpty {
            consider(now)
        }
        if !waiters.isEmpty {
            for waiter in waiters {
                consider(waiter.deadline)
                if waiterCanMove(waiter, at: now) { consider(max(now, free)) }
                if let grace = graceEnd(of: waiter), grace > now { consider(grace) }
            }
        }
        return due.nanoseconds == .max ? nil : due
    }

    /// The time of day in Unix seconds; 0 while it is not known.
    func wallTime(at moment: Moment) -> Double { moment.wallTime(wallOffset) }

    /// Somebody has asked for the time of day: it is this much later than the moment, in seconds.
    ///
    /// A small difference is that of two readings. A large one is a clock that was set: what began
    /// before keeps the time that was said of it.
    mutating func setWallOffset(_ offset: Double) {
        if let wallOffset {
            guard abs(offset - wallOffset) > Self.wallTolerance else { return }
            for record in tasks.values where !record.isTicket {
                var description = record.description(in: identity.session)
                description.begun = record.begunTime(wallOffset)
                record.describe(description)
            }
        }
        wallOffset = offset
    }

    mutating func nextSequence() -> UInt64 {
        sequence += 1
        return sequence
    }

    mutating func warn(_ sentence: String) {
        // A broker cannot fill the memory with refusals: there are few codes, and one line each.
        guard warnings.count < 32 else { return }
        warnings.insert(sentence, at: 0)
    }
}

extension Moment {
    /// This in Unix seconds, which are so many more than those of moments; 0 if that is not known.
    func wallTime(_ offset: Double?) -> Double {
        offset.map { max(0, $0 + Double(nanoseconds) / 1e9) } ?? 0
    }

    /// The moment this many nanoseconds later.
    func later(by nanoseconds: Int64) -> Moment {
        Moment(nanoseconds: self.nanoseconds &+ nanoseconds)
    }
}
