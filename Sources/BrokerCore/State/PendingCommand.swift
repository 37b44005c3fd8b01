import BusProtocol
import TaskTree

/// A command some of whose answers are still to come.
struct PendingCommand {
    let request: UInt64
    /// Whose share of the commands it counts for, and where answers go.
    let asker: ShareOwner
    let route: Route
    let verb: WireVerb
    let target: TaskID
    /// The sessions that it waits for, each with its deliveries; none before there are some.
    var waiting: [SessionID: Range<UInt64>]
    let asked: UInt32
    var wasAccepted = false
}
