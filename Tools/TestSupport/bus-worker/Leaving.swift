import Foundation
import ProgressBus

/// A process that ends its tasks and itself when its input ends, without closing its client.
///
/// `leave COUNT [--open]`: a job with that many children. Prints `ready` when the broker has all of
/// it; then waits, ends them all, with `--open` all but the job, and returns from `main`.
enum Leaving {
    static func run(_ arguments: [String]) async {
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else { exit(64) }
        let bus = BusClient()
        let job = bus.beginJob("Leave \(getpid())")
        let children = (0..<count).map { job.beginChild("Part \($0)", total: 10) }
        guard await bus.sync(timeout: .seconds(30)) else { exit(75) }
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        while readLine() != nil {}
        for child in children {
            child.complete(10)
            child.succeed()
        }
        if !arguments.contains("--open") { job.succeed() }
    }
}
