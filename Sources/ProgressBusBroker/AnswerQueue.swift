import BrokerCore
import DequeModule

/// Answers to commands that libzmq had no room for, in the order of each viewer.
///
/// A command to very many sessions brings as many answers at once, more than a viewer's pipe holds.
/// Answers are the only frames that a viewer cannot ask for again. The queue is bounded: it refuses
/// an answer for which it has no room, and the caller drops and counts that.
struct AnswerQueue {
    /// Bytes that may wait in all.
    static let byteLimit = 16 << 20

    private var lines: [Route: Deque<[UInt8]>] = [:]
    private var bytes = 0

    var isEmpty: Bool { lines.isEmpty }

    /// Viewers for whom an answer waits.
    var routes: [Route] { Array(lines.keys) }

    /// How many answers wait in all.
    var held: Int { lines.values.reduce(0) { $0 + $1.count } }

    func isWaiting(for route: Route) -> Bool { lines[route] != nil }

    /// Keeps an answer; false if there is no room.
    mutating func add(_ frame: [UInt8], for route: Route) -> Bool {
        guard bytes + frame.count <= Self.byteLimit else { return false }
        bytes += frame.count
        lines[route, default: []].append(frame)
        return true
    }

    /// The answer that waits longest for this viewer.
    func next(for route: Route) -> [UInt8]? {
        lines[route]?.first
    }

    /// Removes that answer, after it was sent.
    mutating func removeNext(for route: Route) {
        bytes -= lines[route]?.popFirst()?.count ?? 0
        if lines[route]?.isEmpty == true { lines[route] = nil }
    }

    /// Drops the answers for a viewer that is gone.
    mutating func forget(_ route: Route) {
        bytes -= lines.removeValue(forKey: route)?.reduce(0) { $0 + $1.count } ?? 0
    }
}
