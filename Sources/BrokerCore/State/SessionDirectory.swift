import BusProtocol
import TaskTree

/// The sessions that the broker knows, present or not.
struct SessionDirectory {
    var known: [SessionID: Session] = [:]
    private(set) var byCredential: [SessionCredential: SessionID] = [:]
    /// How many each owner has among those that are known.
    private(set) var room = SharedRoom()
    /// Where answers to them go.
    private var byRoute: [Route: Set<SessionID>] = [:]
    /// How many are present.
    var admissions = Admissions()
    /// Known from the journal: until their keyframes arrive only a part of their words is known.
    var restored: Set<SessionID> = []
    /// What is being done to very many tasks, one after the other.
    var sweeps: [SessionID: [SessionSweep]] = [:]
    /// How many looks sweeps may take before the next tick.
    var sweepRoom = 0
    /// Whether the broker waits for those that were there before it began.
    var isSettling = false
    /// What had left of sessions that are forgotten: their words may still be in the spool.
    var departures = Departures()
    /// What was refused in the current second, for the log.
    var refusalCounts = RefusalCounts()
    /// How much was refused since the broker began.
    var refused: UInt64 = 0

    subscript(id: SessionID) -> Session? {
        get { known[id] }
        _modify { yield &known[id] }
    }

    /// Whose share what this session takes is counted for.
    func owner(of id: SessionID) -> ShareOwner { known[id]?.way.owner ?? .others }

    /// Those whose answers go to this connection.
    func sessions(at route: Route) -> Set<SessionID> { byRoute[route] ?? [] }

    /// How many connections answers go to.
    var routeCount: Int { byRoute.count }

    /// Answers to a session go here from now on, or nowhere.
    mutating func move(_ id: SessionID, to route: Route?) {
        guard let session = known[id], session.route != route else { return }
        if let former = session.route {
            byRoute[former]?.remove(id)
            if byRoute[former]?.isEmpty == true { byRoute[former] = nil }
        }
        known[id]?.answer(at: route)
        if let route { byRoute[route, default: []].insert(id) }
    }

    /// Adds a session, or puts it in the place of what was known of it.
    mutating func put(_ session: Session) {
        if let former = known[session.id] {
            byCredential[former.credential] = nil
            room.add(-1, of: former.way.owner)
        }
        byCredential[session.credential] = session.id
        room.add(1, of: session.way.owner)
        known[session.id] = session
    }

    mutating func forget(_ id: SessionID) {
        move(id, to: nil)
        if let session = known.removeValue(forKey: id) {
            byCredential[session.credential] = nil
            room.add(-1, of: session.way.owner)
        }
        restored.remove(id)
        sweeps[id] = nil
    }
}

/// Sessions of which nothing is left, and the tasks of theirs that were in the tree once.
///
/// A session's words may be found in the spool although the broker has heard them all: it ended
/// before it knew. Without this memory a job that has left would come back for a moment.
struct Departures {
    private var removed: [SessionCredential: IndexRanges] = [:]
    /// In the order in which they were forgotten; some may be known again by now.
    private var order: [SessionCredential] = []

    /// Remembers a session that is being forgotten; above the limit the oldest leave.
    mutating func add(_ session: Session, limit: Int) {
        guard !session.removed.isEmpty else { return }
        if removed.updateValue(session.removed, forKey: session.credential) == nil {
            order.append(session.credential)
        }
        guard order.count > 2 * limit else { return }
        for credential in order.prefix(order.count - limit) { removed[credential] = nil }
        order.removeFirst(order.count - limit)
    }

    var count: Int { removed.count }

    /// What had left of a session.
    subscript(credential: SessionCredential) -> IndexRanges? { removed[credential] }
}

/// Refusals since the last second, for a line of log for each code, however many there are.
struct RefusalCounts {
    private var counts: [RefusalCode: (count: Int, last: String)] = [:]

    mutating func add(_ code: RefusalCode, _ sentence: String) {
        counts[code, default: (0, "")].count += 1
        counts[code]?.last = sentence
    }

    /// Those of each code, and the sentence that was said last.
    mutating func take() -> [(code: RefusalCode, count: Int, last: String)] {
        defer { counts = [:] }
        return counts.map { ($0.key, $0.value.count, $0.value.last) }
            .sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
