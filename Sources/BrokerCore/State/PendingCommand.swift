import BusProtocol
import TaskTree

/// A command some of whose answers are still to come.
struct PendingCommand {
    let request: UInt64
    let route: Route
    let verb: WireVerb
    let target: TaskID
    var waiting: Set<SessionID>
    let asked: UInt32
    var wasAccepted = false
}

/// One question to one session.
struct Delivery {
    let command: UInt64
    let session: SessionID
}
