import BusProtocol
import TaskTree

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
