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
/// A class, so that the many small changes of a task's life copy nothing: as a struct, beginning and
/// ending a short child took 12 µs instead of 3.
//
// Sendable although it changes: only its machine has it, and whoever shares a machine does so
// behind a lock.
final class TaskRecord: @unchecked Sendable {
    let index: UInt64
    let cell: TaskCell

    // What the owner says.
    var description: TaskDescription
    var detail = ""
    var total: Int64?
    var state = StatedState.running
    /// Where the broker has put it; repeated in keyframes.
    var place: UInt32?
    var cellNumber: UInt32?

    // The owner's clock.
    let begun: Moment
    var ended: Moment?
    /// Unix seconds.
    var endedWallTime = 0.0
    var pausedSince: Moment?
    var pausedNanoseconds: Int64 = 0
    var lastAdvance: Moment

    // What others have been told.
    var news = TaskNews.everything
    /// The amount last read from the cell.
    var reading: Int64 = 0
    /// In the changed list.
    var isListed = false
    /// Some frame has named it.
    var wasStated = false
    /// A line of its log was written.
    var hasLogged = false

    // The ending.
    /// Its number among this session's endings; 0 while the task runs.
    var endingNumber: UInt64 = 0
    var isAcknowledged = false
    /// Waits for a place in an Endings frame.
    var isQueued = false
    /// The sequence of the Endings frame that holds its newest row; 0 if none is under way.
    var sentIn: UInt64 = 0

    // The part of the tree that is in this process; 0 is nobody.
    var parent: UInt64 = 0
    var firstChild: UInt64 = 0
    var nextSibling: UInt64 = 0
    var previousSibling: UInt64 = 0
    /// Kept children that have not ended, tickets left out.
    var unfinishedChildren = 0
    /// Those of them that hold.
    var pausedChildren = 0
    /// Kept children whose subtree still has something to be acknowledged.
    var unsettledChildren = 0
    var isSettled = false
    /// Ended children that are kept, in the order they ended.
    var endedChildren = EndedChildren()
    var fold: FoldBook?
    /// Tickets were made somewhere below; topmost tasks only.
    var hasTickets = false

    // Requests.
    var handlers: RequestHandlers?
    /// How many callers wait in `checkpoint()`.
    var holders = 0
    /// Paused because all its children hold.
    var isHeldByChildren = false
    /// A cancel has reached it and was accepted around it: what begins below is asked as well.
    var passesCancelOn = false

    init(index: UInt64, cell: TaskCell, description: TaskDescription, now: Moment) {
        self.index = index
        self.cell = cell
        self.description = description
        begun = now
        lastAdvance = now
    }

    /// The root of a job in this process, or of what it has of somebody else's.
    var isTopmost: Bool { parent == 0 }
    var isEnded: Bool { state.isFinal }
    var isTicket: Bool { description.isTicket }

    var redeemedTicket: TaskID? {
        if case .ticket(let ticket) = description.parent { ticket } else { nil }
    }

    /// The pause that is under way, if any, is over.
    func endPause(at now: Moment) {
        guard let since = pausedSince else { return }
        pausedNanoseconds += now.nanoseconds - since.nanoseconds
        pausedSince = nil
    }

    func clock(at now: Moment) -> WireClock {
        let end = ended ?? now
        let elapsed = end.nanoseconds - begun.nanoseconds
        let holding = pausedSince.map { end.nanoseconds - $0.nanoseconds } ?? 0
        var clock = WireClock()
        clock.elapsed = Self.milliseconds(elapsed)
        clock.active = Self.milliseconds(elapsed - pausedNanoseconds - holding)
        clock.sinceAdvance = Self.milliseconds(end.nanoseconds - lastAdvance.nanoseconds)
        return clock
    }

    private static func milliseconds(_ nanoseconds: Int64) -> UInt64 {
        UInt64(max(0, nanoseconds) / 1_000_000)
    }

    func wireDescription() -> WireDescription {
        var wire = WireDescription(index: index, description)
        if let place { wire.place = place }
        if let cellNumber { wire.cell = cellNumber }
        return wire
    }

    /// The whole row as it goes over control.
    func wireEnding(at now: Moment) -> WireEnding {
        var ending = WireEnding()
        ending.description_p = wireDescription()
        let (state, reason) = state.wire
        ending.state = state
        ending.reason = reason
        ending.completed = reading
        ending.total = total ?? -1
        ending.detail = detail
        ending.clock = clock(at: now)
        ending.time = endedWallTime
        return ending
    }

    /// About how many bytes a statement of everything takes in a frame.
    var estimatedBytes: Int {
        80 + description.title.utf8.count + description.unit.utf8.count + description.key.utf8.count
            + description.tint.utf8.count + description.consequence.utf8.count + detail.utf8.count
    }
}

/// Ended children in the order they ended, those that failed apart: they are folded last.
struct EndedChildren {
    private var calm = Queue()
    private var failed = Queue()

    var count: Int { calm.count + failed.count }

    mutating func append(_ index: UInt64, hasFailed: Bool) {
        if hasFailed { failed.append(index) } else { calm.append(index) }
    }

    mutating func removeOldest() -> (index: UInt64, hasFailed: Bool)? {
        if let index = calm.removeFirst() { return (index, false) }
        return failed.removeFirst().map { ($0, true) }
    }

    /// A list that gives back its space when half of it is used up.
    private struct Queue {
        private var elements: [UInt64] = []
        private var head = 0

        var count: Int { elements.count - head }

        mutating func append(_ element: UInt64) {
            elements.append(element)
        }

        mutating func removeFirst() -> UInt64? {
            guard head < elements.count else { return nil }
            defer {
                head += 1
                if head * 2 > elements.count {
                    elements.removeFirst(head)
                    head = 0
                }
            }
            return elements[head]
        }
    }
}
