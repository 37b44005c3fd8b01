import BusProtocol
import TaskTree

/// Decides what a reporting session sends, and when.
///
/// Pure: it knows no clock, lock, thread or socket. Events come in as calls with the present
/// moment; actions come out of `next(at:)`, one at a time. From outside it reads only what handles
/// write without the lock: the amounts of its tasks, at ticks, keyframes and endings.
///
/// Bounds, which matter while no broker acknowledges anything:
/// - tasks that have not ended: no bound here; a broker may refuse new ones;
/// - ended children: `endedChildrenLimit` per parent, older ones are folded into sums;
/// - ended jobs: `endedJobsLimit`, the oldest are forgotten and `close` says so;
/// - log lines: the newest `LogTail.limit`;
/// - removed indices that folds name: `FoldBook.removedLimit` per parent.
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
    /// Above this many kept ended tasks, folding goes on even if it loses hosts or removed indices.
    static let mostEnded = 100_000
    /// Ended jobs kept until a broker has acknowledged them.
    static let endedJobsLimit = 1_000
    /// Frames of endings under way without an answer.
    static let endingsWindow = 16
    /// Nanoseconds between two early frames of endings.
    static let earlyGap: Int64 = 5_000_000
    /// Seconds by which two readings of the time of day may differ without the clock having been
    /// set.
    static let wallTolerance = 0.1

    let identity: Identity
    /// Nanoseconds between frames.
    let tick: Int64
    /// What to add to a moment, in seconds, to get Unix time; nil until the clock is read.
    private(set) var wallOffset: Double?
    /// When the time of day was last read.
    var lookedAtWallClock: Moment?

    var tasks: SessionTasks = [:]
    var lastIndex: UInt64 = 0
    /// The sequence of the last frame that was made; reports and endings share it, and it only
    /// rises.
    var sequence: UInt64 = 0
    var link = Link()
    var reports = Reports()
    var endings = Endings()
    var redemptions: [UInt64: Redemption] = [:]
    /// Redemptions that the present broker has not answered, and when to send each next.
    var unanswered: [UInt64: Moment] = [:]
    var requests = Requests()
    var waiters: [Waiter] = []
    /// Waiters that were answered and are to be told.
    var finished: [(id: UInt64, isDone: Bool)] = []
    var warnings: [String] = []
    var warnedCodes: Set<UInt32> = []
    var isClosed = false
    var hasLeft = false
    /// The unacknowledged endings were given out for the spool, or there were none.
    var hasSaidLastWords = false
    /// The session has left without the answer of the broker that welcomed it, and one last goodbye
    /// is to be sent.
    var owesGoodbye = false
    /// Until when the last `wait` lets the thread sleep; nil while it is awake.
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

    /// Whether the thread must be woken, because it sleeps past something due; true once per sleep.
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
    /// Called after nearly every event, so it does not even loop over what is usually empty. It
    /// changes nothing but is mutating, as otherwise the compiler copies the machine for it.
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
        consider(link.conversation.due.map { link.isWelcomed ? max($0, free) : $0 })
        if link.isWelcomed {
            if endings.hasSomething, endings.outstanding.count < Self.endingsWindow {
                consider(endings.due.map { max($0, free) })
            }
            consider(endings.repeatDue.map { max($0, free) })
            if !requests.answers.isEmpty { consider(max(now, free)) }
            if !unanswered.isEmpty {
                for due in unanswered.values { consider(max(due, free)) }
            }
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

    /// Takes a new reading of the offset from moments to Unix time, in seconds.
    ///
    /// A small difference comes from reading the clocks. A large one means that the clock was set:
    /// tasks begun before keep the beginning that was reported.
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
    /// The moment plus `offset`, in Unix seconds; 0 if the offset is not known.
    func wallTime(_ offset: Double?) -> Double {
        offset.map { max(0, $0 + Double(nanoseconds) / 1e9) } ?? 0
    }

    /// The moment this many nanoseconds later.
    func later(by nanoseconds: Int64) -> Moment {
        Moment(nanoseconds: self.nanoseconds &+ nanoseconds)
    }
}
