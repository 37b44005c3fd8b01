extension ProgressTask {
    /// Runs code as this task, which ends as the code ends.
    func run<Value: Sendable>(
        isolation: isolated (any Actor)?,
        _ body: @escaping (ProgressTask) async throws -> Value
    ) async throws -> Value {
        let work = Self.$current.withValue(self) {
            Task {
                // Said once, it makes the task run there.
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
