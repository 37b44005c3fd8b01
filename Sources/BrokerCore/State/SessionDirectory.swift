import BusProtocol
import TaskTree

/// The sessions that the broker knows, present or not.
struct SessionDirectory {
    var known: [SessionID: Session] = [:]
    private(set) var byCredential: [SessionCredential: SessionID] = [:]
    /// How many known sessions each owner has.
    private(set) var room = SharedRoom()
    /// The sessions whose answers go to each route.
    private var byRoute: [Route: Set<SessionID>] = [:]
    /// How many sessions are present.
    var admissions = Admissions()
    /// Sessions known from the journal whose keyframes have not arrived: what they stated is known
    /// only in part.
    var restored: Set<SessionID> = []
    /// The sweeps under way, by session.
    var sweeps: [SessionID: [SessionSweep]] = [:]
    /// How many looks sweeps may take before the next tick.
    var sweepRoom = 0
    /// Whether the broker waits for the sessions that were present before it began.
    var isSettling = false
    /// Tasks of forgotten sessions that had left the tree: the spool may still hold statements
    /// about them.
    var departures = Departures()
    /// What was refused in the current second, for the log.
    var refusalCounts = RefusalCounts()
    /// How many refusals there were since the broker began.
    var refused: UInt64 = 0

    subscript(id: SessionID) -> Session? {
        get { known[id] }
        _modify { yield &known[id] }
    }

    /// The owner whose share this session takes.
    func owner(of id: SessionID) -> ShareOwner { known[id]?.way.owner ?? .others }

    /// The sessions whose answers go to this connection.
    func sessions(at route: Route) -> Set<SessionID> { byRoute[route] ?? [] }

    /// How many connections answers go to.
    var routeCount: Int { byRoute.count }

    /// Sets where answers to a session go; `nil` for nowhere.
    mutating func move(_ id: SessionID, to route: Route?) {
        guard let session = known[id], session.route != route else { return }
        if let former = session.route {
            byRoute[former]?.remove(id)
            if byRoute[former]?.isEmpty == true { byRoute[former] = nil }
        }
        known[id]?.answer(at: route)
        if let route { byRoute[route, default: []].insert(id) }
    }

    /// Adds a session, or replaces what was known of it.
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

/// Forgotten sessions, with the indices of their tasks that had left the tree.
///
/// The spool may hold statements of a session that the broker has already taken in, because the
/// session ended before it got the acknowledgement. Without this record, a job that has left would
/// come back for a moment.
struct Departures {
    private var removed: [SessionCredential: IndexRanges] = [:]
    /// Credentials in the order in which the sessions were forgotten; some may be known again by
    /// now.
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

    /// The indices of a forgotten session's tasks that had left the tree.
    subscript(credential: SessionCredential) -> IndexRanges? { removed[credential] }
}

/// Refusals since the last second, for a line of log for each code, however many there are.
struct RefusalCounts {
    private var counts: [RefusalCode: (count: Int, last: String)] = [:]

    mutating func add(_ code: RefusalCode, _ sentence: String) {
        counts[code, default: (0, "")].count += 1
        counts[code]?.last = sentence
    }

    /// Takes the count of each code, with its last sentence.
    mutating func take() -> [(code: RefusalCode, count: Int, last: String)] {
        defer { counts = [:] }
        return counts.map { ($0.key, $0.value.count, $0.value.last) }
            .sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
