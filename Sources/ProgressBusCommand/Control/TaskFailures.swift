import ArgumentParser
import ProgressBus

/// The failures of single tasks of a command, which still asks about the other tasks.
struct TaskFailures {
    private var failures: [CommandFailure] = []

    /// Runs `body` for one task, and keeps a failure that concerns this task alone.
    ///
    /// - Throws: A failure that every other task would meet too: no broker, or a silent one.
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

    /// Prints all failures but the worst on standard error and throws the worst, if there is any.
    ///
    /// - Throws: The worst failure, which the end of the program prints.
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
