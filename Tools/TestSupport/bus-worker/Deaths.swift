import Foundation
import ProgressBus

/// How long it takes until a follower that reads all the time sees that a worker was killed.
enum Deaths {
    static func measure(_ numbers: [Int]) async {
        guard let count = numbers.first, count > 0 else { exit(64) }
        await Worker.run { try await measure(count) }
    }

    private static func measure(_ count: Int) async throws {
        let sights = Sights()
        defer { sights.close() }
        var milliseconds: [Double] = []
        var known = 0
        for _ in 0..<count {
            let process = try Worker.start("jobs", "1")
            let pid = Int(process.processIdentifier)
            _ = try await sights.sight(of: pid, as: "running")
            // Not always at the same moment of the broker's tick.
            try await Task.sleep(for: .milliseconds(Int.random(in: 100..<200)))
            let killed = ContinuousClock.now
            kill(process.processIdentifier, SIGKILL)
            let lost = try await sights.sight(of: pid, as: "lost")
            milliseconds.append(killed.duration(to: lost.at) / .milliseconds(1))
            if lost.exit == .signal(Int(SIGKILL)) { known += 1 }
            process.waitUntilExit()
        }
        print(#"{"signalKnown":\#(known),"milliseconds":\#(list(milliseconds))}"#)
    }
}
