import BusProtocol
import Synchronization
import TaskTree

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a process was started for, as its environment says.
enum InheritedTask {
    case redeemed(ProgressTask)
    case parent(TaskID)

    /// A ticket is for one task of one process: what has redeemed each, at most 1,000.
    private static let redeemers = Mutex<[String: TaskID]>([:])

    /// Looks into the environment; what a ticket was redeemed by is the parent of all that follows.
    ///
    /// - Parameters:
    ///   - environment: Where to look; `nil` is the process' own.
    ///   - complain: Told in words what is of no use.
    ///   - redeem: Begins the task of a ticket that this process has not redeemed yet.
    /// - Returns: That task, else the parent, else nil.
    static func take(
        from environment: [String: String]?,
        complain: (String) -> Void,
        redeem: (ProgressTicket) -> ProgressTask
    ) -> InheritedTask? {
        func value(_ name: String) -> String? {
            let value = environment.map { $0[name] } ?? ProcessEnvironment[name]
            return value?.isEmpty == false ? value : nil
        }
        if let text = value(InheritedVariable.ticket) {
            if let ticket = ProgressTicket(text) {
                return redeemers.withLock { redeemers in
                    if let redeemer = redeemers[text] { return .parent(redeemer) }
                    let task = redeem(ticket)
                    if redeemers.count < 1_000 { redeemers[text] = task.id }
                    return .redeemed(task)
                }
            }
            complain(
                "\(InheritedVariable.ticket) is \"\(text.clipped(toBytes: 60))\", which is not a ticket: "
                    + "set it to the text that makeTicket gave, unchanged."
            )
        }
        guard let text = value(InheritedVariable.parent), text != TaskID.noTask else { return nil }
        guard let parent = TaskID(text) else {
            complain(
                "\(InheritedVariable.parent) is \"\(text.clipped(toBytes: 60))\", which is not a task: "
                    + "set it to a task's id, or leave it out."
            )
            return nil
        }
        return .parent(parent)
    }

    /// The ticket is used up; processes started from here on begin children of its task.
    static func leaveParent(_ task: TaskID) {
        unsetenv(InheritedVariable.ticket)
        setenv(InheritedVariable.parent, task.description, 1)
    }
}

/// The variables of this process.
enum ProcessEnvironment {
    static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Those on which the endpoint depends.
    static func endpointVariables() -> [String: String] {
        var variables: [String: String] = [:]
        for name in BusEndpoint.environmentVariables { variables[name] = self[name] }
        return variables
    }
}
