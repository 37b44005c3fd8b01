import BusProtocol
import TaskTree

extension ProgressTask {
    /// Begins a part of this task.
    ///
    /// - Parameters:
    ///   - title: What is done. At most 200 bytes are sent.
    ///   - share: How many of this task's units the child is worth; left out it is 1 (0 for a
    ///     background child). Limited to 0 through 2⁴⁸.
    ///   - total: How much there is to do, in the child's own units; left out while that is
    ///     unknown.
    ///   - unit: What the child counts.
    ///   - options: What else the child says about itself.
    /// - Returns: The child, running. The call costs less than a microsecond. Short children are
    ///   folded into sums, so that millions of them cost no memory.
    @discardableResult
    public func beginChild(
        _ title: String,
        share: Int? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask {
        reporter.warnIfVague(title)
        let child: ReportedTask
        if share == nil, options == TaskOptions(), unit == .items {
            child = ReportedTask(title: title.clipped(toBytes: 200))
        } else {
            var description = TaskDescription(.task(id), title, unit, options)
            description.share = share.map(Int64.share)
            child = ReportedTask(description)
        }
        child.total = total.map(Int64.amount)
        return ProgressTask(reporter, child, below: record.index)
    }

    /// Reserves a part of this task for somebody else to do, usually another process.
    ///
    /// Hand the ticket over with `ProgressTicket.environment(mergedInto:)` or as text.
    ///
    /// - Parameters:
    ///   - title: What will be done; shown until the redeemer gives a title of its own.
    ///   - share: How many of this task's units it is worth; left out it is 1.
    ///   - key: The name that identifies the part across runs; `nil` takes the title.
    /// - Returns: The ticket.
    public func makeTicket(
        _ title: String,
        share: Int? = nil,
        key: String? = nil
    ) -> ProgressTicket {
        reporter.warnIfVague(title)
        var description = TaskDescription(.task(id), title, .items, TaskOptions())
        description.isTicket = true
        description.unit = ""
        description.share = share.map(Int64.share)
        description.key = key ?? ""
        let ticket = ProgressTask(reporter, ReportedTask(description), below: record.index)
        return ProgressTicket(task: ticket.id, endpoint: reporter.endpoint?.description)
    }

    /// Runs a piece of code as a part of this task, and ends the part as the code ends.
    ///
    /// A normal return ends the part with `succeed()`, a `CancellationError` with
    /// `endCancelled(_:)`, any other error with `fail(_:)`; the error is rethrown. If the code has
    /// ended the part itself, that ending stands.
    ///
    /// The code runs on the caller's actor, in a Swift task of its own. That Swift task is
    /// cancelled when the surrounding one is, and when a viewer cancels the part, which therefore
    /// counts as cancellable. Inside the code, `ProgressTask.current` is the part.
    ///
    /// - Parameters:
    ///   - title: What is done.
    ///   - share: How many of this task's units it is worth; left out it is 1.
    ///   - total: How much there is to do; left out while that is unknown.
    ///   - unit: What is counted.
    ///   - options: What else the part says about itself.
    ///   - isolation: Where the code runs: the caller's actor.
    ///   - body: The code; it gets the part to advance it.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public func withChild<Value: Sendable>(
        _ title: String,
        share: Int? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        options: TaskOptions = TaskOptions(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (ProgressTask) async throws -> Value
    ) async throws -> Value {
        var options = options
        options.isCancellable = true
        return try await beginChild(
            title,
            share: share,
            total: total,
            unit: unit,
            options: options
        ).run(isolation: isolation, body)
    }
}
