import BrokerCore

/// Answers to commands that libzmq had no room for, in the order of each viewer.
///
/// A command to very many sessions has as many answers at once, more than a viewer's pipe holds;
/// unlike all else that a viewer is sent they cannot be asked for again. Bounded: what is too much
/// for the queue is dropped, and counted by whoever adds it.
struct AnswerQueue {
    /// Bytes that may wait in all.
    static let byteLimit = 16 << 20

    private struct Line {
        var frames: [[UInt8]] = []
        /// How many of them have been sent.
        var sent = 0
    }

    private var lines: [Route: Line] = [:]
    private var bytes = 0

    var isEmpty: Bool { lines.isEmpty }

    /// Viewers for whom something waits.
    var routes: [Route] { Array(lines.keys) }

    func isWaiting(for route: Route) -> Bool { lines[route] != nil }

    /// Keeps an answer; false if there is no room.
    mutating func add(_ frame: [UInt8], for route: Route) -> Bool {
        guard bytes + frame.count <= Self.byteLimit else { return false }
        bytes += frame.count
        lines[route, default: Line()].frames.append(frame)
        return true
    }

    /// The answer that waits longest for this viewer.
    func next(for route: Route) -> [UInt8]? {
        lines[route].map { $0.frames[$0.sent] }
    }

    /// That answer has been sent.
    mutating func removeNext(for route: Route) {
        guard let line = lines[route] else { return }
        bytes -= line.frames[line.sent].count
        if line.sent + 1 == line.frames.count {
            lines[route] = nil
        } else {
            lines[route]?.sent += 1
        }
    }

    /// Nobody is at the other end any more.
    mutating func forget(_ route: Route) {
        guard let line = lines.removeValue(forKey: route) else { return }
        bytes -= line.frames[line.sent...].reduce(0) { $0 + $1.count }
    }
}
