import BusProtocol
public import TaskTree

extension BusClient {
    /// Begins a job: the root of a tree of tasks, or a part of what this process was started for.
    ///
    /// With `PROGRESSBUS_TICKET` in the environment, the first job redeems that ticket and all
    /// later jobs are children of it. With `PROGRESSBUS_PARENT` alone, which `progressbus run` sets
    /// for its command, every job is a child of the task that it names. This call changes neither
    /// variable.
    ///
    /// - Parameters:
    ///   - title: What is done, as people say it: "Back up photos". At most 200 bytes are sent.
    ///   - key: The name that identifies the job across runs; a job with the same key keeps its
    ///     slot on the board and its history. `nil` takes the title.
    ///   - total: How much there is to do, in units; left out while that is unknown. Negative
    ///     counts as 0.
    ///   - unit: What is counted.
    ///   - inherit: Whether the environment decides where the job belongs; it never does if the
    ///     client has another endpoint than the environment names.
    ///   - options: What else the job says about itself.
    /// - Returns: The job, running. The call costs a few microseconds; the first one also starts a
    ///   thread.
    @discardableResult
    public func beginJob(
        _ title: String,
        key: String? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        inherit: Bool = true,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask {
        reporter.warnIfVague(title)
        if inherit, isOfEnvironment, let inherited = inherited(title, total, unit, options) {
            return inherited.task
        }
        var description = TaskDescription(.none, title, unit, options)
        description.key = key ?? ""
        return begin(description, total)
    }

    /// Runs a piece of code as a job, and ends the job as the code ends.
    ///
    /// A normal return ends the job with `succeed()`, a `CancellationError` with
    /// `endCancelled(_:)`, any other error with `fail(_:)`; the error is rethrown. If the code has
    /// ended the job itself, that ending stands.
    ///
    /// The code runs on the caller's actor, in a Swift task of its own. That Swift task is
    /// cancelled when the surrounding one is, and when a viewer cancels the job, which therefore
    /// counts as cancellable. Inside the code, `ProgressTask.current` is the job.
    ///
    /// - Parameters:
    ///   - title: What is done, as people say it.
    ///   - key: The name that identifies the job across runs; `nil` takes the title.
    ///   - total: How much there is to do, in units; left out while that is unknown.
    ///   - unit: What is counted.
    ///   - inherit: Whether the environment decides where the job belongs, as for `beginJob`.
    ///   - options: What else the job says about itself.
    ///   - isolation: Where the code runs: the caller's actor.
    ///   - body: The code; it gets the job to advance it.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public func withJob<Value: Sendable>(
        _ title: String,
        key: String? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        inherit: Bool = true,
        options: TaskOptions = TaskOptions(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (ProgressTask) async throws -> Value
    ) async throws -> Value {
        var options = options
        options.isCancellable = true
        return try await beginJob(
            title,
            key: key,
            total: total,
            unit: unit,
            inherit: inherit,
            options: options
        ).run(isolation: isolation, body)
    }

    /// Begins a child of a task that is known by its id only, usually another process' task.
    ///
    /// - Parameters:
    ///   - title: What is done.
    ///   - parent: The task it is a part of.
    ///   - share: How many of the parent's units the child is worth; left out it is 1 (0 for a
    ///     background task). Limited to 0 through 2⁴⁸.
    ///   - total: How much there is to do; left out while that is unknown.
    ///   - unit: What is counted.
    ///   - options: What else the task says about itself.
    /// - Returns: The task, running.
    @discardableResult
    public func beginChild(
        _ title: String,
        of parent: TaskID,
        share: Int? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask {
        reporter.warnIfVague(title)
        var description = TaskDescription(.task(parent), title, unit, options)
        description.share = share.map(Int64.share)
        return begin(description, total)
    }

    /// Begins the work that a ticket stands for.
    ///
    /// The broker decides what the new task becomes: the ticket's task itself; the next attempt at
    /// it, if the last one was lost or ended without success; a child of it, while another redeemer
    /// works on it; or nothing, if it has succeeded already or has had 10,000 attempts (the client
    /// warns once). The call does not wait for this decision, and the task runs meanwhile.
    ///
    /// - Parameters:
    ///   - text: The ticket's text, as `ProgressTicket.text` gave it to its issuer.
    ///   - title: A better title than the issuer's; `nil` leaves that.
    ///   - total: How much there is to do; left out while that is unknown.
    ///   - unit: What is counted; `nil` is the same as `.items`.
    ///   - options: What else the task says about itself.
    /// - Returns: The task, running; `nil` if the text is not a ticket (warned about once).
    public func redeem(
        _ text: String,
        title: String? = nil,
        total: Int? = nil,
        unit: ProgressUnit? = nil,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask? {
        guard let ticket = ProgressTicket(text) else {
            reporter.warnOnce(
                "\"\(text.clipped(toBytes: 60))\" is not a ticket: "
                    + "pass on the text that makeTicket gave, unchanged."
            )
            return nil
        }
        return redeem(ticket, title: title, total: total, unit: unit, options: options)
    }

    /// Begins the work that a ticket stands for; see `redeem(_:title:total:unit:options:)`.
    ///
    /// - Parameters:
    ///   - ticket: The ticket.
    ///   - title: A better title than the issuer's; `nil` leaves that.
    ///   - total: How much there is to do; left out while that is unknown.
    ///   - unit: What is counted; `nil` is the same as `.items`.
    ///   - options: What else the task says about itself.
    /// - Returns: The task, running.
    @discardableResult
    public func redeem(
        _ ticket: ProgressTicket,
        title: String? = nil,
        total: Int? = nil,
        unit: ProgressUnit? = nil,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask {
        begin(
            TaskDescription(.ticket(ticket.task), title ?? "", unit ?? .items, options),
            total
        )
    }

    func begin(_ description: TaskDescription, _ total: Int?) -> ProgressTask {
        let record = ReportedTask(description)
        record.total = total.map(Int64.amount)
        var above: UInt64 = 0
        if case .task(let parent) = description.parent, parent.session == session {
            above = parent.index
        }
        return ProgressTask(reporter, record, below: above)
    }
}

extension TaskDescription {
    init(_ parent: ParentLink, _ title: String, _ unit: ProgressUnit, _ options: TaskOptions) {
        self.init(parent: parent, title: title.clipped(toBytes: 200))
        self.unit = unit.name
        self.options = options
    }
}

extension Int64 {
    /// An amount as the protocol allows it: 0 and above.
    static func amount(_ value: Int) -> Int64 { Swift.max(0, Int64(value)) }

    /// A share as the protocol allows it: from 0 to 2⁴⁸.
    static func share(_ value: Int) -> Int64 { Swift.min(amount(value), 1 << 48) }
}
