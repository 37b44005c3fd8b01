import BusProtocol
import CLibrary
import Synchronization
public import TaskTree

/// What a process was started for, as its environment says.
extension BusClient {
    /// Begins the work that the environment says this process was started for.
    ///
    /// If `PROGRESSBUS_TICKET` is set, redeems that ticket. A ticket is for one process: this call
    /// removes the variable from the environment and sets `PROGRESSBUS_PARENT` to the id of the new
    /// task, so that processes started from this one begin children of it. If this process has
    /// redeemed the ticket already, begins a child of the task that did, and leaves the environment
    /// as it is. Without a ticket, begins a child (share 1) of the task that `PROGRESSBUS_PARENT`
    /// names.
    ///
    /// Changes the environment: call it before other threads start.
    ///
    /// - Parameters:
    ///   - title: What is done; `nil` takes the ticket's title, or the name of the executable for a
    ///     child.
    ///   - total: How much there is to do; left out while that is unknown.
    ///   - unit: What is counted; `nil` is the same as `.items`.
    ///   - options: What else the task says about itself.
    /// - Returns: The task, running; `nil` if neither variable is set or neither can be used (the
    ///   client warns once).
    public func redeemInherited(
        _ title: String? = nil,
        total: Int? = nil,
        unit: ProgressUnit? = nil,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask? {
        guard let inherited = inherited(title, total, unit, options) else { return nil }
        if environment == nil, inherited.isRedeemer {
            // The ticket is used up; processes started from here on begin children of its task.
            unsetenv(InheritedVariable.ticket)
            setenv(InheritedVariable.parent, inherited.task.id.description, 1)
        }
        return inherited.task
    }

    /// The tasks that have redeemed tickets, by the text of the ticket; at most 1,000.
    private static let redeemers = Mutex<[String: TaskID]>([:])

    /// Begins the task that the environment asks for; `isRedeemer` says whether it redeems a
    /// ticket.
    ///
    /// A ticket is redeemed once per process: later calls begin children of the task that redeemed
    /// it.
    func inherited(
        _ title: String?,
        _ total: Int?,
        _ unit: ProgressUnit?,
        _ options: TaskOptions
    ) -> (task: ProgressTask, isRedeemer: Bool)? {
        func child(of parent: TaskID) -> ProgressTask {
            let title = title ?? ProcessFacts.executableName
            return begin(TaskDescription(.task(parent), title, unit ?? .items, options), total)
        }
        if let text = variable(InheritedVariable.ticket) {
            if let ticket = ProgressTicket(text) {
                return Self.redeemers.withLock { redeemers in
                    if let redeemer = redeemers[text] { return (child(of: redeemer), false) }
                    let task = redeem(
                        ticket,
                        title: title,
                        total: total,
                        unit: unit,
                        options: options
                    )
                    if redeemers.count < 1_000 { redeemers[text] = task.id }
                    return (task, true)
                }
            }
            reporter.warnOnce(
                "\(InheritedVariable.ticket) is \"\(text.clipped(toBytes: 60))\", which is not a ticket: "
                    + "set it to the text that makeTicket gave, unchanged."
            )
        }
        guard let text = variable(InheritedVariable.parent), text != TaskID.noTask
        else { return nil }
        guard let parent = TaskID(text) else {
            reporter.warnOnce(
                "\(InheritedVariable.parent) is \"\(text.clipped(toBytes: 60))\", which is not a task: "
                    + "set it to a task's id, or leave it out."
            )
            return nil
        }
        return (child(of: parent), false)
    }

    private func variable(_ name: String) -> String? {
        let value = environment.map { $0[name] } ?? ProcessEnvironment[name]
        return value?.isEmpty == false ? value : nil
    }
}
