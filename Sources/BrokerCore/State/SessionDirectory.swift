import BusProtocol
import TaskTree

/// The sessions that the broker knows, present or not.
struct SessionDirectory {
    var known: [SessionID: Session] = [:]
    var byCredential: [SessionCredential: SessionID] = [:]
    /// How many are present.
    var admissions = Admissions()
    /// Known from the journal: until their keyframes arrive only a part of their words is known.
    var restored: Set<SessionID> = []
    /// Whether the broker waits for those that were there before it began.
    var isSettling = false
    /// What had left of sessions that are forgotten: their words may still be in the spool.
    var departures = Departures()
    /// What sessions have been told in the current second.
    var refusalsTold: Set<ToldRefusal> = []
    /// The same for the log.
    var refusalCounts = RefusalCounts()
    /// How much was refused since the broker began.
    var refused: UInt64 = 0

    subscript(id: SessionID) -> Session? {
        get { known[id] }
        _modify { yield &known[id] }
    }

    mutating func forget(_ id: SessionID) {
        if let credential = known[id]?.credential { byCredential[credential] = nil }
        known[id] = nil
        restored.remove(id)
    }
}
