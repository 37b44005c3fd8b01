import Foundation
import TaskTree

/// Where a worker writes down what it does, before it says so to the bus.
///
/// A line for each event, in one write each, so that what a killed process has done is known up to
/// the line.
struct LedgerFile {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    /// Whether its worker is at work, wherever that was started.
    static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        return descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    func session(_ id: SessionID) { write("session \(id)") }

    func began(_ id: TaskID, in parent: TaskID?, total: Int?, share: Int?, expected: Int?) {
        write(
            "begin \(id) \(parent?.description ?? "-") \(text(total)) \(text(share)) \(text(expected))"
        )
    }

    func made(ticket: TaskID, in parent: TaskID, share: Int?) {
        write("ticket \(ticket) \(parent) \(text(share))")
    }

    func redeemed(_ ticket: TaskID, as id: TaskID, total: Int?) {
        write("redeem \(id) \(ticket) \(text(total))")
    }

    func amount(_ completed: Int, of id: TaskID) { write("amount \(id) \(completed)") }

    func end(_ id: TaskID, _ state: String, _ reason: String) {
        write("end \(id) \(state) \(reason)")
    }

    /// The broker knows the session.
    func welcomed() { write("welcomed") }

    /// The broker has acknowledged everything above.
    func acknowledged() { write("acked") }

    func closed(_ isAcknowledged: Bool) { write("closed \(isAcknowledged)") }

    private func text(_ number: Int?) -> String { number.map(String.init) ?? "-" }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count else {
            complain("the ledger cannot be written: \(String(cString: strerror(errno)))")
            exit(74)
        }
    }
}
