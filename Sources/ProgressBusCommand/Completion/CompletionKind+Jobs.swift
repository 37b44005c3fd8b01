import ArgumentParser
import ProgressBus

extension CompletionKind {
    /// The jobs on the bus for which the command makes sense.
    ///
    /// Asks the broker when the person presses Tab, for a second at most; offers nothing, and says
    /// nothing, where there is none.
    static var jobs: CompletionKind {
        .custom { (words: [String], _: Int, _: String) async -> [String] in
            let names = JobNames(words: words)
            let follower = BusFollower(
                BusConfiguration(endpoint: names.endpoint, program: "progressbus completion")
            )
            defer { follower.close() }
            let board = try? await follower.status(depth: 0, timeout: .milliseconds(900))
            return names.offered(of: board?.jobs ?? [])
        }
    }
}
