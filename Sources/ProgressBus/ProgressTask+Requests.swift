import TaskTree

/// What viewers ask of a task.
///
/// A request reaches a task and everything below it in this process. The viewer is told that it was
/// accepted if anything that it reached accepts it: a handler, or a task that has said that it is
/// able to (`TaskOptions.isCancellable`, `isPausable`).
extension ProgressTask {
    /// Whether the task has been asked to stop.
    ///
    /// As cheap as a read of a variable.
    public var isCancelled: Bool { record.requested(.cancel) }

    /// Whether the task has been asked to hold, and not yet to go on.
    public var isPauseRequested: Bool { record.requested(.pause) }

    /// Waits while the task is asked to hold, and throws when it is asked to stop.
    ///
    /// Costs next to nothing while nobody asks for anything: call it once per piece of work. While
    /// it waits the task is shown as paused. It stays on the actor of whoever calls.
    ///
    /// - Throws: `CancellationError` when a viewer has cancelled this task or one above it, or when
    ///   the Swift task it is called in was cancelled.
    nonisolated(nonsending) public func checkpoint() async throws {
        while true {
            try Task.checkCancellation()
            if isCancelled { throw CancellationError() }
            guard isPauseRequested, !isEnded else { return }
            await reporter.hold(id.index)
        }
    }

    /// Asks this task, and everything below it in this process, to stop; as a viewer would.
    ///
    /// For signal handlers and the like. Other processes are not asked.
    public func requestCancel() {
        reporter.request(.cancel, of: id.index)
    }

    /// Calls a handler when the task is asked to stop.
    ///
    /// ```swift
    /// task.onCancel { server.stop() }
    /// ```
    ///
    /// Several handlers may be registered; each is called once per request, on a thread of the
    /// client's, one after the other. A handler that comes after the request is called at once.
    ///
    /// - Parameter handler: Stops the work, or sees to it, within the time the viewer waits, 10 s as
    ///   a rule. It accepts the request by returning and refuses it by throwing: the viewer reads
    ///   the error's description, such as that of a `RequestRefusal`.
    public func onCancel(_ handler: @escaping @Sendable () throws -> Void) {
        reporter.handle(.cancel, of: id.index, with: handler)
    }

    /// Calls a handler when the task is asked to hold; say `pause()` once it does.
    ///
    /// - Parameter handler: Makes the work hold, or sees to it; as that of `onCancel`.
    public func onPause(_ handler: @escaping @Sendable () throws -> Void) {
        reporter.handle(.pause, of: id.index, with: handler)
    }

    /// Calls a handler when the task is asked to go on; say `resume()` once it does.
    ///
    /// - Parameter handler: Makes the work go on, or sees to it; as that of `onCancel`.
    public func onResume(_ handler: @escaping @Sendable () throws -> Void) {
        reporter.handle(.resume, of: id.index, with: handler)
    }
}
