import ArgumentParser
import ProgressBus

extension CompletionKind {
    /// The jobs on the bus for which the command makes sense.
    ///
    /// Asks the broker when the person presses Tab, until it is silent for a second; offers nothing, and says
    /// nothing, where there is none.
    static var jobs: CompletionKind {
        offered(depth: 0) { $0.offered(of: $1) }
    }

    /// The tasks of `progressbus begin` that have not ended, wherever in the tree they are.
    static var detachedTasks: CompletionKind {
        offered(depth: nil) { $0.detachedTasks(in: $1) }
    }

    private static func offered(
        depth: Int?,
        _ choose: @escaping @Sendable (JobNames, [TaskSnapshot]) -> [String]
    ) -> CompletionKind {
        .custom { (words: [String], _: Int, _: String) -> [String] in
            let names = JobNames(words: words)
            let follower = BusFollower(
                BusConfiguration(endpoint: names.endpoint, program: "progressbus completion")
            )
            defer { follower.close() }
            let board = waitForAnswer {
                try? await follower.status(depth: depth, timeout: .milliseconds(900))
            }
            return choose(names, board?.jobs ?? [])
        }
    }
}
