import BusProtocol
import TaskTree

/// Reports of sessions whose hello, which travels on another socket, has not arrived.
///
/// Kept encoded, as messages take many times the memory of their bytes, and bounded in bytes. What
/// is too much is dropped, and its session asked for a keyframe when it says hello.
struct EarlyReports {
    private struct Line {
        var reports: [[UInt8]] = []
        var bytes = 0
        let since: Moment
    }

    /// What a report counts for beside its bytes.
    private static let overhead = 128

    private var lines: [SessionCredential: Line] = [:]
    private var bytes = 0
    /// Whether some were dropped since everything kept was taken or forgotten.
    private(set) var hasDropped = false

    var isEmpty: Bool { lines.isEmpty }

    /// Keeps a report; false if there is no room for it.
    mutating func add(
        _ report: WireReport,
        of credential: SessionCredential,
        limit: Int,
        limitPerSession: Int,
        now: Moment
    ) -> Bool {
        var line = lines[credential] ?? Line(since: now)
        // Looked at before it is encoded: a flood costs no more than that.
        guard bytes < limit, line.bytes < limitPerSession else {
            hasDropped = true
            return false
        }
        let encoded = Payload.encode(report)
        let size = encoded.count + Self.overhead
        guard bytes + size <= limit, line.bytes + size <= limitPerSession else {
            hasDropped = true
            return false
        }
        line.reports.append(encoded)
        line.bytes += size
        bytes += size
        lines[credential] = line
        return true
    }

    /// Takes out those of one session, in the order in which they came.
    mutating func take(_ credential: SessionCredential) -> [WireReport] {
        guard let line = lines.removeValue(forKey: credential) else { return [] }
        bytes -= line.bytes
        return line.reports.compactMap { Payload.decode(WireReport.self, from: $0) }
    }

    /// Forgets those that have waited so long, and that some were dropped if none are left.
    mutating func forget(olderThan seconds: Double, now: Moment) {
        for (credential, line) in lines where now.seconds(since: line.since) >= seconds {
            lines[credential] = nil
            bytes -= line.bytes
        }
        if lines.isEmpty { hasDropped = false }
    }
}
