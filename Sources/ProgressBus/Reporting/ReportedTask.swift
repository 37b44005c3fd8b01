import BusProtocol
import Synchronization
import TaskTree

/// What has changed about a task since it was last put into a report.
struct TaskNews: OptionSet, Sendable {
    var rawValue: UInt8

    static let description = TaskNews(rawValue: 1)
    static let amounts = TaskNews(rawValue: 2)
    static let detail = TaskNews(rawValue: 4)
    static let state = TaskNews(rawValue: 8)
    static let everything: TaskNews = [.description, .amounts, .detail, .state]
}

/// The requests that are in force for a task.
struct PendingRequests: OptionSet, Sendable {
    var rawValue: UInt8

    static let cancel = PendingRequests(rawValue: 1)
    static let pause = PendingRequests(rawValue: 2)
}

/// One task of a session: the atomics that its handle uses without a lock, and the machine's
/// record.
///
/// A class, so that the many small changes of a task's life copy nothing. A session may have very
/// many: small fields are placed where large ones would leave padding.
//
// Unchecked: once a task has begun, the fields that are not atomic are used only behind the lock of
// its machine. Handles, on any thread, use the atomics and `index`, which is set before they exist.
final class ReportedTask: @unchecked Sendable {
    // One word holds the amount, doubled, and in its lowest bit the mark. A set mark says that the
    // machine has the task in its changed list, or need not have it there.
    //
    // No step is lost. All changes of the word are atomic, so they have one order. `unmark` returns
    // the amount with every step before it. A step after it sees in the same instruction that the
    // mark is off, and its thread tells the machine.
    private let word = Atomic<Int64>(0)
    /// The `PendingRequests` in force: asked for, and not refused by the process.
    let requests = Atomic<UInt8>(0)
    /// Whether the task has ended, or was never reported.
    let hasEnded = Atomic<Bool>(false)
    /// How many callers wait in `checkpoint()`; handles do not read it.
    var holders: Int32 = 0

    // Links within the part of the tree that is in this process; 0 is none.
    private(set) var index: UInt64 = 0
    var parent: UInt64 = 0
    var nextSibling: UInt64 = 0
    var previousSibling: UInt64 = 0

    // What its owner says.
    private(set) var title: String
    /// The rest of the description; nil for a child of which only the title is known.
    private var details: Described?
    var total: Int64?
    /// The amount that the machine has last read.
    var amount: Int64 = 0
    var detail = ""
    var state = StatedState.running

    // Its owner's clock.
    var times = Times()

    // The place and the cell that the broker gave the task; repeated in keyframes.
    var location: (place: UInt32?, cell: UInt32?)

    // What the broker has been told.
    var news = TaskNews.everything
    /// In the changed list.
    var isListed = false
    /// Some frame has named it.
    var wasStated = false
    /// A line of its log was written.
    var hasLogged = false

    // Requests.
    /// Paused because all its children hold.
    var isHeldByChildren = false
    /// A cancel request that reached the task was accepted somewhere: children begun later get it
    /// too if they can stop.
    var passesCancelOn = false
    /// Made when the first handler or the body is registered.
    var handlers: RequestHandlers?

    // Its end, and what is below it.
    /// How it ended; of no meaning while it runs.
    var ending = Ending()
    /// Its children; made with the first child.
    private(set) var family: Family?

    /// A task that is in no machine yet, and so has no index and no time.
    init(title: String) {
        self.title = title
    }

    /// A task with its whole description.
    convenience init(_ description: TaskDescription) {
        self.init(title: description.title)
        details = Described(description)
    }

    func begin(_ index: UInt64, at now: Moment) {
        self.index = index
        times = Times(begun: now, lastAdvance: now)
    }

    /// Frees the description, the children and the handlers; a handle may keep the record itself.
    func release() {
        (details, family, handlers) = (nil, nil, nil)
    }

    /// A box, because a description is large and most children have no more than a title.
    private final class Described {
        let value: TaskDescription

        init(_ value: TaskDescription) { self.value = value }
    }

    /// When a task began, advanced and paused, by its owner's clock.
    struct Times {
        var begun = Moment(nanoseconds: 0)
        /// When it last moved, or has begun.
        var lastAdvance = Moment(nanoseconds: 0)
        var pausedNanoseconds: Int64 = 0
        var pausedSince: Moment?

        /// The pause that is under way, if any, is over.
        mutating func endPause(at now: Moment) {
            guard let since = pausedSince else { return }
            pausedNanoseconds += now.nanoseconds - since.nanoseconds
            pausedSince = nil
        }
    }

    /// When a task ended, and how far that has got to the broker.
    struct Ending {
        var at: Moment?
        /// Waits for a place in an Endings frame.
        var isQueued = false
        /// A broker has acknowledged the ending and everything below the task.
        var isSettled = false
        /// Unix seconds.
        var wallTime = 0.0
        /// Its number among this session's endings; 0 while the task runs.
        var number: UInt64 = 0
        /// The sequence of the Endings frame that holds its newest row; 0 if none is under way.
        var sentIn: UInt64 = 0
    }

    /// What a task with children has.
    final class Family {
        /// The index of the kept child that was begun last; 0 if there is none.
        var firstChild: UInt64 = 0
        /// Kept children that have not ended, tickets left out.
        var unfinished = 0
        /// How many of those children are paused.
        var paused = 0
        /// Kept children whose subtree still has something to be acknowledged.
        var unsettled = 0
        /// Ended children that are kept, in the order they ended.
        var ended = EndedChildren()
        /// What was folded away.
        var fold: FoldBook?
        /// A ticket was made somewhere below; set for topmost tasks only.
        var hasTickets = false
    }

    var ownFamily: Family {
        if let family { return family }
        let new = Family()
        family = new
        return new
    }

    var firstChild: UInt64 { family?.firstChild ?? 0 }

    /// What was folded away below it.
    var fold: FoldBook? { family?.fold }
}

// What the task's handle calls, from any thread.
extension ReportedTask {
    /// The greatest amount that the word holds; it is reported as `Int64.max`.
    static let greatest = Int64.max >> 1

    // Sums wrap on overflow, because ending the process would be worse.

    /// Adds a step to the amount; true if the mark is off, so that the machine must be told.
    @inline(__always)
    func advance(by step: Int64) -> Bool {
        word.wrappingAdd(step << 1, ordering: .relaxed).oldValue & 1 == 0
    }

    /// Sets the amount; true if the mark is off, so that the machine must be told.
    ///
    /// Of several calls the last one counts.
    func complete(_ amount: Int64) -> Bool {
        let amount = min(amount, Self.greatest)
        return word.exchange(amount << 1 | 1, ordering: .relaxed) & 1 == 0
    }

    /// The amount as it is reported.
    var reading: Int64 { Self.amount(in: word.load(ordering: .relaxed)) }

    private static func amount(in word: Int64) -> Int64 {
        word >> 1 == greatest ? .max : max(0, word >> 1)
    }

    /// Set while the machine has the task in its changed list or need not have it.
    @inline(__always)
    var isMarked: Bool { word.load(ordering: .relaxed) & 1 == 1 }

    func mark() {
        word.bitwiseOr(1, ordering: .relaxed)
    }

    /// Takes the mark off; returns the amount at that moment.
    @discardableResult
    func unmark() -> Int64 {
        Self.amount(in: word.bitwiseAnd(~1, ordering: .relaxed).oldValue)
    }

    /// Ends the task's reporting: the mark stays set, so that no later `advance()` wakes the
    /// reporter.
    func retire() {
        hasEnded.store(true, ordering: .releasing)
        mark()
    }

    func requested(_ request: PendingRequests) -> Bool {
        PendingRequests(rawValue: requests.load(ordering: .acquiring)).contains(request)
    }

    func insert(_ request: PendingRequests) {
        requests.bitwiseOr(request.rawValue, ordering: .acquiringAndReleasing)
    }

    func remove(_ request: PendingRequests) {
        requests.bitwiseAnd(~request.rawValue, ordering: .acquiringAndReleasing)
    }
}

extension ReportedTask {
    /// The task's description; a plain child's is made of its title, its parent and `session`.
    func description(in session: SessionID) -> TaskDescription {
        if let described { return described }
        let link = parent == 0 ? .none : ParentLink.task(TaskID(index: parent, session: session))
        var description = TaskDescription(parent: link, title: title)
        description.unit = Self.plainUnit
        return description
    }

    func describe(_ description: TaskDescription) {
        title = description.title
        details = Described(description)
    }

    /// The unit of tasks of which only the title is known.
    static let plainUnit = ProgressUnit.items.name

    var described: TaskDescription? { details?.value }
    var unit: String { details?.value.unit ?? Self.plainUnit }
    var effectiveShare: Int64 { details?.value.effectiveShare ?? 1 }
    var options: TaskOptions { details?.value.options ?? TaskOptions() }
    var host: String { details?.value.host ?? "" }
    var isTicket: Bool { details?.value.isTicket ?? false }

    var redeemedTicket: TaskID? {
        if case .ticket(let ticket)? = details?.value.parent { ticket } else { nil }
    }

    var isEnded: Bool { state.isFinal }
    /// Whether the task has no parent here: a job, the top of a part of another process's job, or
    /// a child whose parent the session has forgotten.
    var isTopmost: Bool { parent == 0 }

    /// Records the amount that was read.
    func take(_ reading: Int64, at now: Moment) {
        guard reading != amount else { return }
        amount = reading
        times.lastAdvance = now
        news.insert(.amounts)
    }

    func clock(at now: Moment) -> WireClock {
        let end = ending.at ?? now
        let elapsed = end.nanoseconds - times.begun.nanoseconds
        let holding = times.pausedSince.map { end.nanoseconds - $0.nanoseconds } ?? 0
        var clock = WireClock()
        clock.elapsed = Self.milliseconds(elapsed)
        clock.active = Self.milliseconds(elapsed - times.pausedNanoseconds - holding)
        clock.sinceAdvance = Self.milliseconds(end.nanoseconds - times.lastAdvance.nanoseconds)
        return clock
    }

    private static func milliseconds(_ nanoseconds: Int64) -> UInt64 {
        UInt64(max(0, nanoseconds) / 1_000_000)
    }
}
