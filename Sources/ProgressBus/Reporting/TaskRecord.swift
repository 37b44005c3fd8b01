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
/// cell, so that a running task costs one allocation. What most tasks never have is in `TaskExtras`.
//
// Sendable although it changes: only its machine has it, and whoever shares a machine does so
// behind a lock. Handles of tasks reach no further than the cell.
//
// Without the checks of exclusive access, which were a quarter of what a short child costs: the lock
// gives it, and no access lasts longer than its statement.
final class TaskRecord: TaskCell, @unchecked Sendable {
    // In an order that leaves no gaps: a plain task is 120 bytes, the next size of malloc has 136.
    // Four of them are indices of six bytes, which makes room for the cell.
    /// The news in the lower four bits, the life in the upper ones.
    @exclusivity(unchecked) private var lifeAndNews = TaskNews.everything.rawValue
    @exclusivity(unchecked) private var marks: Marks = []
    /// Where the broker has put it; repeated in keyframes.
    @exclusivity(unchecked) private var placeOrNone = UInt32.max
    @exclusivity(unchecked) private var cellOrNone = UInt32.max
    /// Milliseconds after its beginning; the greatest number: in the extras.
    @exclusivity(unchecked) private var advancedAfter: UInt32 = 0

    @exclusivity(unchecked) private var ownIndex = TaskIndex()
    // The part of the tree that is in this process.
    @exclusivity(unchecked) private var parentIndex = TaskIndex()
    @exclusivity(unchecked) private var nextIndex = TaskIndex()
    @exclusivity(unchecked) private var previousIndex = TaskIndex()

    // What the owner says.
    @exclusivity(unchecked) private(set) var title: String
    /// -1 while it is unknown.
    @exclusivity(unchecked) private var knownTotal: Int64 = -1

    // The owner's clock.
    @exclusivity(unchecked) private(set) var begun = Moment(nanoseconds: 0)

    /// The amount last read from the cell.
    @exclusivity(unchecked) var amount: Int64 = 0

    @exclusivity(unchecked) private(set) var extras: TaskExtras?

    private enum Life: UInt8 {
        case running, paused, succeeded, failed, cancelled
    }

    private struct Marks: OptionSet {
        var rawValue: UInt8

        static let isListed = Marks(rawValue: 1)
        static let wasStated = Marks(rawValue: 2)
        static let isAcknowledged = Marks(rawValue: 4)
        static let isQueued = Marks(rawValue: 8)
        static let isSettled = Marks(rawValue: 16)
        static let passesCancelOn = Marks(rawValue: 32)
        static let isTicket = Marks(rawValue: 64)
        static let hasLogged = Marks(rawValue: 128)
    }

    /// A task that is in no machine yet, and so has no index and no time.
    init(title: String) {
        self.title = title
        super.init()
    }

    /// The same with all that it says of itself.
    convenience init(_ description: TaskDescription) {
        self.init(title: description.title)
        if description.isTicket { marks.insert(.isTicket) }
        own.description = TaskExtras.Described(description)
    }

    func begin(_ index: UInt64, at now: Moment) {
        ownIndex.value = index
        begun = now
    }

    /// For changing: makes room where there is none.
    var own: TaskExtras {
        if let extras { return extras }
        let new = TaskExtras()
        extras = new
        return new
    }

    /// The handle may live on.
    func forgetExtras() {
        extras = nil
    }

    // MARK: - The part of the tree that is in this process; 0 is nobody

    var index: UInt64 { ownIndex.value }
    var parent: UInt64 {
        get { parentIndex.value }
        set { parentIndex.value = newValue }
    }
    var nextSibling: UInt64 {
        get { nextIndex.value }
        set { nextIndex.value = newValue }
    }
    var previousSibling: UInt64 {
        get { previousIndex.value }
        set { previousIndex.value = newValue }
    }

    // MARK: - What it says of itself

    /// What it says of itself; `session` is its own, which that of a plain child leaves out.
    func description(in session: SessionID) -> TaskDescription {
        if let extras, let described = extras.description { return described.value }
        let link = parent == 0 ? .none : ParentLink.task(TaskID(index: parent, session: session))
        var description = TaskDescription(parent: link, title: title)
        description.unit = Self.plainUnit
        return description
    }

    func describe(_ description: TaskDescription) {
        title = description.title
        own.description = TaskExtras.Described(description)
    }

    /// The unit of tasks of which only the title is known.
    static let plainUnit = ProgressUnit.items.name

    var described: TaskDescription? { extras?.description?.value }
    var unit: String { described?.unit ?? Self.plainUnit }
    var effectiveShare: Int64 { described?.effectiveShare ?? 1 }
    var expectedChildren: Int64? { described?.expectedChildren }
    var isCancellable: Bool { described?.isCancellable ?? false }
    var isPausable: Bool { described?.isPausable ?? false }
    /// When it last moved, or has begun; held to the millisecond.
    var lastAdvance: Moment {
        get {
            if advancedAfter == .max, let late = extras?.lastAdvance { return late }
            return Moment(nanoseconds: begun.nanoseconds &+ Int64(advancedAfter) * 1_000_000)
        }
        @inline(__always)
        set {
            let after = (newValue.nanoseconds &- begun.nanoseconds) / 1_000_000
            advancedAfter = UInt32(clamping: after)
            if advancedAfter == .max { own.lastAdvance = newValue }
        }
    }
    var total: Int64? {
        get { knownTotal < 0 ? nil : knownTotal }
        set { knownTotal = newValue ?? -1 }
    }
    private var life: Life {
        get { Life(rawValue: lifeAndNews >> 4) ?? .running }
        set { lifeAndNews = newValue.rawValue << 4 | lifeAndNews & 15 }
    }
    /// What others have not been told.
    var news: TaskNews {
        get { TaskNews(rawValue: lifeAndNews & 15) }
        set { lifeAndNews = newValue.rawValue & 15 | lifeAndNews & ~15 }
    }
    var state: StatedState {
        get {
            switch life {
            case .running: .running
            case .paused: .paused
            case .succeeded: .succeeded
            case .failed: .failed(reason: extras?.reason ?? "")
            case .cancelled: .cancelled(reason: extras?.reason ?? "")
            }
        }
        set {
            switch newValue {
            case .running: life = .running
            case .paused: life = .paused
            case .succeeded: life = .succeeded
            case .failed(let reason):
                life = .failed
                own.reason = reason
            case .cancelled(let reason):
                life = .cancelled
                own.reason = reason
            }
        }
    }

    var place: UInt32? {
        get { placeOrNone == .max ? nil : placeOrNone }
        set { placeOrNone = newValue ?? .max }
    }
    var cellNumber: UInt32? {
        get { cellOrNone == .max ? nil : cellOrNone }
        set { cellOrNone = newValue ?? .max }
    }

    var isPaused: Bool { life == .paused }

    /// The root of a job in this process, or of what it has of somebody else's.
    var isTopmost: Bool { parent == 0 }
    var isEnded: Bool { life.rawValue >= Life.succeeded.rawValue }
    var isTicket: Bool { marks.contains(.isTicket) }

    var redeemedTicket: TaskID? {
        if case .ticket(let ticket)? = described?.parent { ticket } else { nil }
    }

    // MARK: - What others have been told

    /// In the changed list.
    var isListed: Bool {
        get { marks.contains(.isListed) }
        set { set(.isListed, newValue) }
    }
    /// Some frame has named it.
    var wasStated: Bool {
        get { marks.contains(.wasStated) }
        set { set(.wasStated, newValue) }
    }
    /// A line of its log was written.
    var hasLogged: Bool {
        get { marks.contains(.hasLogged) }
        set { set(.hasLogged, newValue) }
    }
    var isAcknowledged: Bool {
        get { marks.contains(.isAcknowledged) }
        set { set(.isAcknowledged, newValue) }
    }
    /// Waits for a place in an Endings frame.
    var isQueued: Bool {
        get { marks.contains(.isQueued) }
        set { set(.isQueued, newValue) }
    }
    var isSettled: Bool {
        get { marks.contains(.isSettled) }
        set { set(.isSettled, newValue) }
    }
    /// A cancel has reached it and was accepted around it: what begins below is asked as well.
    var passesCancelOn: Bool {
        get { marks.contains(.passesCancelOn) }
        set { set(.passesCancelOn, newValue) }
    }

    private func set(_ mark: Marks, _ isSet: Bool) {
        if isSet { marks.insert(mark) } else { marks.remove(mark) }
    }

    /// The pause that is under way, if any, is over.
    func endPause(at now: Moment) {
        guard let since = extras?.pausedSince else { return }
        own.pausedNanoseconds += now.nanoseconds - since.nanoseconds
        own.pausedSince = nil
    }

    func clock(at now: Moment) -> WireClock {
        let end = extras?.ended ?? now
        let elapsed = end.nanoseconds - begun.nanoseconds
        let holding = extras?.pausedSince.map { end.nanoseconds - $0.nanoseconds } ?? 0
        var clock = WireClock()
        clock.elapsed = Self.milliseconds(elapsed)
        clock.active = Self.milliseconds(elapsed - (extras?.pausedNanoseconds ?? 0) - holding)
        clock.sinceAdvance = Self.milliseconds(end.nanoseconds - lastAdvance.nanoseconds)
        return clock
    }

    private static func milliseconds(_ nanoseconds: Int64) -> UInt64 {
        UInt64(max(0, nanoseconds) / 1_000_000)
    }
}
