import BusProtocol
import TaskTree

/// What only some tasks have: those that say more of themselves than a title, have children or
/// details, were paused, or have ended and are kept.
//
// Without the checks of exclusive access, as in `TaskRecord`.
final class TaskExtras {
    /// A box, as it is large and few tasks need it.
    final class Described {
        let value: TaskDescription

        init(_ value: TaskDescription) { self.value = value }
    }

    @exclusivity(unchecked) var description: Described?
    @exclusivity(unchecked) var detail = ""
    /// Why it has failed or was cancelled.
    @exclusivity(unchecked) var reason = ""

    // The owner's clock.
    @exclusivity(unchecked) var ended: Moment?
    /// Of a task that has run for longer than 32 bits have milliseconds.
    @exclusivity(unchecked) var lastAdvance: Moment?
    /// Unix seconds.
    @exclusivity(unchecked) var endedWallTime = 0.0
    /// The same of its begin, of a task that began before the clock was set.
    @exclusivity(unchecked) var begunTime: Double?
    @exclusivity(unchecked) var pausedSince: Moment?
    @exclusivity(unchecked) var pausedNanoseconds: Int64 = 0

    // The ending.
    /// Its number among this session's endings; 0 while the task runs.
    @exclusivity(unchecked) var endingNumber: UInt64 = 0
    /// The sequence of the Endings frame that holds its newest row; 0 if none is under way.
    @exclusivity(unchecked) var sentIn: UInt64 = 0

    // The part of the tree that is in this process; 0 is nobody.
    @exclusivity(unchecked) var firstChild: UInt64 = 0
    /// Kept children that have not ended, tickets left out.
    @exclusivity(unchecked) var unfinishedChildren = 0
    /// Those of them that hold.
    @exclusivity(unchecked) var pausedChildren = 0
    /// Kept children whose subtree still has something to be acknowledged.
    @exclusivity(unchecked) var unsettledChildren = 0
    /// Ended children that are kept, in the order they ended.
    @exclusivity(unchecked) var endedChildren = EndedChildren()
    @exclusivity(unchecked) var fold: FoldBook?
    /// Tickets were made somewhere below; topmost tasks only.
    @exclusivity(unchecked) var hasTickets = false

    // Requests.
    @exclusivity(unchecked) var handlers: RequestHandlers?
    /// How many callers wait in `checkpoint()`.
    @exclusivity(unchecked) var holders = 0
    /// Paused because all its children hold.
    @exclusivity(unchecked) var isHeldByChildren = false
}

// Each of these makes room for all of them when it is set.
extension TaskRecord {
    var detail: String {
        get { extras?.detail ?? "" }
        _modify { yield &own.detail }
    }
    var ended: Moment? {
        get { extras?.ended }
        _modify { yield &own.ended }
    }
    var endedWallTime: Double {
        get { extras?.endedWallTime ?? 0 }
        _modify { yield &own.endedWallTime }
    }
    var pausedSince: Moment? {
        get { extras?.pausedSince }
        _modify { yield &own.pausedSince }
    }
    var endingNumber: UInt64 {
        get { extras?.endingNumber ?? 0 }
        _modify { yield &own.endingNumber }
    }
    var sentIn: UInt64 {
        get { extras?.sentIn ?? 0 }
        _modify { yield &own.sentIn }
    }
    var firstChild: UInt64 {
        get { extras?.firstChild ?? 0 }
        _modify { yield &own.firstChild }
    }
    var unfinishedChildren: Int {
        get { extras?.unfinishedChildren ?? 0 }
        _modify { yield &own.unfinishedChildren }
    }
    var pausedChildren: Int {
        get { extras?.pausedChildren ?? 0 }
        _modify { yield &own.pausedChildren }
    }
    var unsettledChildren: Int {
        get { extras?.unsettledChildren ?? 0 }
        _modify { yield &own.unsettledChildren }
    }
    var endedChildren: EndedChildren {
        get { extras?.endedChildren ?? EndedChildren() }
        _modify { yield &own.endedChildren }
    }
    var fold: FoldBook? {
        get { extras?.fold }
        _modify { yield &own.fold }
    }
    var hasTickets: Bool {
        get { extras?.hasTickets ?? false }
        _modify { yield &own.hasTickets }
    }
    var handlers: RequestHandlers? {
        get { extras?.handlers }
        _modify { yield &own.handlers }
    }
    var holders: Int {
        get { extras?.holders ?? 0 }
        _modify { yield &own.holders }
    }
    var isHeldByChildren: Bool {
        get { extras?.isHeldByChildren ?? false }
        _modify { yield &own.isHeldByChildren }
    }
    var pausedNanoseconds: Int64 {
        get { extras?.pausedNanoseconds ?? 0 }
        _modify { yield &own.pausedNanoseconds }
    }
}

extension TaskRecord {
    /// What is folded away below it; made where there is none.
    var ownFold: FoldBook {
        if let fold { return fold }
        let new = FoldBook()
        own.fold = new
        return new
    }

    /// When it began, in Unix seconds, which are so many more than those of moments; 0 for a ticket,
    /// which somebody else begins.
    func begunTime(_ wallOffset: Double?) -> Double {
        isTicket ? 0 : extras?.begunTime ?? begun.wallTime(wallOffset)
    }

    func wireDescription(in session: SessionID, _ wallOffset: Double?) -> WireDescription {
        var wire = WireDescription(index: index, description(in: session))
        wire.begun = begunTime(wallOffset)
        if let place { wire.place = place }
        if let cellNumber { wire.cell = cellNumber }
        return wire
    }

    /// About how many bytes a statement of everything takes in a frame.
    var estimatedBytes: Int {
        let words = described.map {
            $0.unit.utf8.count + $0.key.utf8.count + $0.tint.utf8.count
                + $0.consequence.utf8.count
        }
        return 80 + title.utf8.count + (words ?? 0) + detail.utf8.count
    }
}

extension ReportingMachine {
    /// The whole row as it goes over control.
    func wireEnding(of record: TaskRecord, at now: Moment) -> WireEnding {
        var ending = WireEnding()
        ending.description_p = record.wireDescription(in: identity.session, wallOffset)
        let (state, reason) = record.state.wire
        ending.state = state
        ending.reason = reason
        ending.completed = record.amount
        ending.total = record.total ?? -1
        ending.detail = record.detail
        ending.clock = record.clock(at: now)
        ending.time = record.endedWallTime
        return ending
    }
}
