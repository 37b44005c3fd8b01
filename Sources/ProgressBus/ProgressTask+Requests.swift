import TaskTree

/// What viewers ask of a task.
///
/// A request reaches a task and everything below it in this process. The viewer is told that it was
/// accepted if at least one task that it reached accepts it. A task accepts by a handler that
/// returns, or by having said that it is able to (`TaskOptions.isCancellable`, `isPausable`).
extension ProgressTask {
    /// Whether the task has been asked to stop.
    ///
    /// As cheap as a read of a variable.
    public var isCancelled: Bool { record.requested(.cancel) }

    /// Whether the task has been asked to pause, and not yet to resume.
    public var isPauseRequested: Bool { record.requested(.pause) }

    /// Waits while the task is asked to pause, and throws when it is asked to stop.
    ///
    /// Costs next to nothing while nobody asks for anything: call it once per piece of work. While
    /// it waits, the task is shown as paused. It stays on the caller's actor.
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
    /// For example when the program is told to stop by SIGINT. It takes a lock: do not call it
    /// within a POSIX signal handler. Other processes are not asked.
    public func requestCancel() {
        reporter.request(.cancel, of: id.index)
    }

    /// Calls a handler when the task is asked to stop.
    ///
    /// ```swift
    /// task.onCancel { server.stop() }
    /// ```
    ///
    /// Several handlers may be registered; the client calls each once per request, one after the
    /// other, on a thread of its own. A handler that is registered after the request is called at
    /// once.
    ///
    /// - Parameter handler: Stops the work, or begins to, within the time that the viewer waits, 10
    ///   s as a rule. It accepts the request by returning and refuses it by throwing: the viewer
    ///   reads the error's description, such as that of a `RequestRefusal`.
    public func onCancel(_ handler: @escaping @Sendable () throws -> Void) {
        reporter.handle(.cancel, of: id.index, with: handler)
    }

    /// Calls a handler when the task is asked to pause; call `pause()` once the work has paused.
    ///
    /// - Parameter handler: Pauses the work, or begins to; otherwise as for `onCancel`.
    public func onPause(_ handler: @escaping @Sendable () throws -> Void) {
        reporter.handle(.pause, of: id.index, with: handler)
    }

    /// Calls a handler when the task is asked to resume; call `resume()` once the work goes on.
    ///
    /// - Parameter handler: Resumes the work, or begins to; otherwise as for `onCancel`.
    public func onResume(_ handler: @escaping @Sendable () throws -> Void) {
        reporter.handle(.resume, of: id.index, with: handler)
    }
}
