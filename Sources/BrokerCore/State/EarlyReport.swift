import BusProtocol
import TaskTree

/// A report that came before its session's hello.
struct EarlyReport {
    let credential: SessionCredential
    let report: WireReport
    let arrived: Moment
}
