import Foundation
import ProgressBus

/// When a follower sees that workers were stopped, and that they have gone on.
///
/// One half goes on after 6 s, while it is silent, the other after 12 s, when it is lost.
enum Stops {
    private struct Outcome {
        var silent: Double
        var lost: Double?
        var back: Double
        /// Seen as stalled while it stood.
        var isStalled: Bool
    }

    static func measure(_ numbers: [Int]) async {
        guard let count = numbers.first, count > 0 else { exit(64) }
        await Worker.run { try await measure(count) }
    }

    private static func measure(_ count: Int) async throws {
        let sights = Sights()
        defer { sights.close() }
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 0..<count {
                group.addTask { try await stop(number, sights) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        print(
            #"{"silent":\#(list(outcomes.map(\.silent))),"lost":\#(list(outcomes.compactMap(\.lost))),"#
                + #""back":\#(list(outcomes.map(\.back))),"stalled":\#(outcomes.count(where: \.isStalled))}"#
        )
    }

    private static func stop(_ number: Int, _ sights: Sights) async throws -> Outcome {
        let process = try Worker.start("jobs", "1")
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let pid = Int(process.processIdentifier)
        _ = try await sights.sight(of: pid, as: "running")
        try await Task.sleep(for: .milliseconds(Int.random(in: 500..<2_000)))
        let stopped = ContinuousClock.now
        kill(process.processIdentifier, SIGSTOP)
        let goesOn = stopped + .seconds(number % 2 == 0 ? 6 : 12)
        try await Task.sleep(until: goesOn)
        kill(process.processIdentifier, SIGCONT)
        let silent = try await sights.sight(of: pid, as: "silent", after: stopped)
        let back = try await sights.sight(of: pid, as: "running", after: goesOn)
        let seen = sights.sights(of: pid).filter { $0.at >= stopped && $0.at < goesOn }
        return Outcome(
            silent: stopped.duration(to: silent.at) / .milliseconds(1),
            lost: seen.first { $0.word == "lost" }.map {
                stopped.duration(to: $0.at) / .milliseconds(1)
            },
            back: goesOn.duration(to: back.at) / .milliseconds(1),
            isStalled: seen.contains { $0.word == "stalled" }
        )
    }
}
