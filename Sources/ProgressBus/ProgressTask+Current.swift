import Synchronization

/// Begins parts of the current task, for code that gets no task as a parameter.
///
/// Without a current task these calls report to nobody and cost next to nothing: a library may
/// report without knowing whether its caller wants that.
extension ProgressTask {
    /// The task of the innermost `withJob` or `withChild` around the running code; `nil` outside of
    /// them.
    ///
    /// Swift tasks inherit it; detached Swift tasks do not.
    @TaskLocal public static var current: ProgressTask?

    /// Begins a part of the current task; see `beginChild` of a task.
    @discardableResult
    public static func beginChild(
        _ title: String,
        share: Int? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        options: TaskOptions = TaskOptions()
    ) -> ProgressTask {
        currentOrNone.beginChild(title, share: share, total: total, unit: unit, options: options)
    }

    /// Runs a piece of code as a part of the current task; see `withChild` of a task.
    public static func withChild<Value: Sendable>(
        _ title: String,
        share: Int? = nil,
        total: Int? = nil,
        unit: ProgressUnit = .items,
        options: TaskOptions = TaskOptions(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (ProgressTask) async throws -> Value
    ) async throws -> Value {
        try await currentOrNone.withChild(
            title,
            share: share,
            total: total,
            unit: unit,
            options: options,
            isolation: isolation,
            body
        )
    }

    /// Advances the current task by one for every element that was worked on; see `tracking` of a
    /// task.
    public static func tracking<Base: Sequence>(_ sequence: Base) -> TrackedSequence<Base> {
        currentOrNone.tracking(sequence)
    }

    /// Advances the current task by one for every element of a collection that was worked on; see
    /// `tracking` of a task.
    public static func tracking<Base: Collection>(_ collection: Base) -> TrackedSequence<Base> {
        currentOrNone.tracking(collection)
    }

    /// Advances the current task by one for every element that was worked on; see `tracking` of a
    /// task.
    public static func tracking<Base: AsyncSequence>(
        _ sequence: Base
    ) -> TrackedAsyncSequence<Base> {
        currentOrNone.tracking(sequence)
    }

    private static var currentOrNone: ProgressTask { current ?? none }

    /// Stands in for a missing current task: a job of a closed client, which reports to nobody.
    private static let none = BusClient.closed.beginJob("Work for nobody", inherit: false)
}

extension ProgressTask {
    /// Runs code as the work of this task, and ends the task as the code ends.
    func run<Value: Sendable>(
        isolation: isolated (any Actor)?,
        _ body: @escaping (ProgressTask) async throws -> Value
    ) async throws -> Value {
        let work = Self.$current.withValue(self) {
            Task {
                // Capturing the actor makes the Swift task run on it.
                _ = isolation
                return try await body(self)
            }
        }
        reporter.setBody(id.index) { work.cancel() }
        do {
            let value = try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
            succeed()
            return value
        } catch let error as CancellationError {
            endCancelled()
            throw error
        } catch {
            fail(error)
            throw error
        }
    }
}

extension BusClient {
    fileprivate static let closed: BusClient = {
        let reporter = Reporter(
            identity: .ofThisProcess(program: ""),
            endpoint: nil,
            tickNanoseconds: 1_000_000_000,
            warnsOfMistakes: false
        )
        reporter.state.withLock { $0.machine.isClosed = true }
        return BusClient(reporter: reporter, environment: [:], isOfEnvironment: false)
    }()
}
