import ArgumentParser
import ProgressBus

/// What went wrong with some of the tasks that a command is about; the others are asked all the same.
struct TaskFailures {
    private var failures: [CommandFailure] = []

    /// Does something with one task, and keeps the failure if it is that task's own.
    ///
    /// - Throws: What would go wrong with every other task too: there is no broker, or it is silent.
    mutating func collect(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as CommandFailure {
            failures.append(failure)
        } catch let error as FollowError {
            let failure = CommandFailure(error)
            guard failure.code == .dataError else { throw failure }
            failures.append(failure)
        }
    }

    /// Says each on standard error and ends with the code of the worst, if there is any.
    ///
    /// - Throws: The worst one, which is said where the program ends.
    func throwWorst() throws(CommandFailure) {
        let order: [ExitCode] = [.noPermission, .temporaryFailure, .unavailable, .dataError]
        let worst = failures.min {
            (order.firstIndex(of: $0.code) ?? order.count)
                < (order.firstIndex(of: $1.code) ?? order.count)
        }
        guard let worst else { return }
        for failure in failures where failure.sentence != worst.sentence {
            StandardStreams.complain(failure.sentence)
        }
        throw worst
    }
}
