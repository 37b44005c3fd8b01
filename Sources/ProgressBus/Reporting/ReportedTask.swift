import BusProtocol
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

/// Everything the machine knows about one task of its session.
///
/// A class, so that the many small changes of a task's life copy nothing, and one object with the
/// cell, so that a running task costs one allocation.
//
// Sendable although it changes: only its machine has it, and whoever shares a machine does so
// behind a lock. Handles of tasks reach no further than the cell.
final class ReportedTask: TaskCell, @unchecked Sendable {
    // The part of the tree that is in this process; 0 is nobody.
    private(set) var index: UInt64 = 0
    var parent: UInt64 = 0
    var firstChild: UInt64 = 0
    var nextSibling: UInt64 = 0
    var previousSibling: UInt64 = 0

    // What its owner says.
    private(set) var title: String
    /// The rest of what it says of itself; a child of which only the title is known has none.
    private var details: Described?
    var total: Int64?
    /// The amount last read from the cell.
    var amount: Int64 = 0
    var detail = ""
    var state = StatedState.running

    // Its owner's clock.
    var times = Times()

    // Where the broker has put it; repeated in keyframes.
    var place: UInt32?
    var cellNumber: UInt32?

    // What others have been told.
    var news = TaskNews.everything
    /// In the changed list.
    var isListed = false
    /// Some frame has named it.
    var wasStated = false
    /// A line of its log was written.
    var hasLogged = false
    /// How it ended; of no meaning while it runs.
    var ending = Ending()

    /// Its children; made with the first.
    private(set) var family: Family?

    // Requests.
    /// Made with the first one.
    var handlers: RequestHandlers?
    /// How many callers wait in `checkpoint()`.
    var holders: Int32 = 0
    /// Paused because all its children hold.
    var isHeldByChildren = false
    /// A cancel has reached it and was accepted around it: what begins below is asked as well.
    var passesCancelOn = false

    /// A task that is in no machine yet, and so has no index and no time.
    init(title: String) {
        self.title = title
        super.init()
    }

    /// The same with all that it says of itself.
    convenience init(_ description: TaskDescription) {
        self.init(title: description.title)
        details = Described(description)
    }

    func begin(_ index: UInt64, at now: Moment) {
        self.index = index
        times = Times(begun: now, lastAdvance: now)
    }

    /// What it has beside itself is not needed any more; the handle may live on.
    func release() {
        (details, family, handlers) = (nil, nil, nil)
    }

    /// Large, and most children say no more than a title.
    private final class Described {
        let value: TaskDescription

        init(_ value: TaskDescription) { self.value = value }
    }

    /// When a task began, advanced and paused, by its owner's clock.
    struct Times {
        var begun = Moment(nanoseconds: 0)
        /// When it last moved, or has begun.
        var lastAdvance = Moment(nanoseconds: 0)
        var pausedSince: Moment?
        var pausedNanoseconds: Int64 = 0

        /// The pause that is under way, if any, is over.
        mutating func endPause(at now: Moment) {
            guard let since = pausedSince else { return }
            pausedNanoseconds += now.nanoseconds - since.nanoseconds
            pausedSince = nil
        }
    }

    /// When a task ended, and how far others have heard of it.
    struct Ending {
        var at: Moment?
        /// Unix seconds.
        var wallTime = 0.0
        /// Its number among this session's endings; 0 while the task runs.
        var number: UInt64 = 0
        /// Waits for a place in an Endings frame.
        var isQueued = false
        /// The sequence of the Endings frame that holds its newest row; 0 if none is under way.
        var sentIn: UInt64 = 0
        var isAcknowledged = false
        /// All below it is settled, too.
        var isSettled = false
    }

    /// What a task with children has.
    final class Family {
        /// Kept children that have not ended, tickets left out.
        var unfinished = 0
        /// Those of them that hold.
        var paused = 0
        /// Kept children whose subtree still has something to be acknowledged.
        var unsettled = 0
        /// Ended children that are kept, in the order they ended.
        var ended = EndedChildren()
        /// What was folded away.
        var fold: FoldBook?
        /// Tickets were made somewhere below; topmost tasks only.
        var hasTickets = false
    }

    var ownFamily: Family {
        if let family { return family }
        let new = Family()
        family = new
        return new
    }

    /// What was folded away below it.
    var fold: FoldBook? { family?.fold }
}

extension ReportedTask {
    /// What it says of itself; `session` is its own, which that of a plain child leaves out.
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
    var isTicket: Bool { details?.value.isTicket ?? false }

    var redeemedTicket: TaskID? {
        if case .ticket(let ticket)? = details?.value.parent { ticket } else { nil }
    }

    var isPaused: Bool { state == .paused }
    var isEnded: Bool { state.isFinal }
    /// The root of a job in this process, or of what it has of somebody else's.
    var isTopmost: Bool { parent == 0 }

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
