import BusProtocol
import TaskTree

/// A command some of whose answers are still to come.
struct PendingCommand {
    let request: UInt64
    /// Who has asked for it, and where answers go.
    let asker: ShareOwner
    let route: Route
    let verb: WireVerb
    let target: TaskID
    /// The sessions that it waits for, each with its delivery; 0 before there is one.
    ///
    /// None while they are looked for.
    var waiting: [SessionID: UInt64] = [:]
    var asked: UInt32 = 0
    var wasAccepted = false
}
