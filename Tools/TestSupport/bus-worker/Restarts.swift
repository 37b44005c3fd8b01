import Foundation
import ProgressBus

/// How long a broker that was killed is missed by the follower of many workers.
enum Restarts {
    static func measure(_ numbers: [Int]) async {
        guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { exit(64) }
        await Worker.run { try await measure(workers: numbers[0], times: numbers[1]) }
    }

    private static func measure(workers count: Int, times: Int) async throws {
        var broker = try await startBroker()
        defer { broker.terminate() }
        let sights = Sights()
        defer { sights.close() }
        var workers: [Process] = []
        defer {
            for worker in workers { kill(worker.processIdentifier, SIGKILL) }
            for worker in workers { worker.waitUntilExit() }
        }
        for _ in 0..<count { workers.append(try Worker.start("jobs", "1")) }
        _ = try await complete(count, sights, besides: 0)
        var milliseconds: [Double] = []
        for _ in 0..<times {
            try await Task.sleep(for: .seconds(2))
            let epoch = sights.board?.broker?.epoch ?? 0
            kill(broker.processIdentifier, SIGKILL)
            broker.waitUntilExit()
            let begun = ContinuousClock.now
            broker = try await startBroker()
            let done = try await complete(count, sights, besides: epoch)
            milliseconds.append(begun.duration(to: done) / .milliseconds(1))
        }
        print(#"{"milliseconds":\#(list(milliseconds))}"#)
    }

    /// When a board is live, settled and shows all jobs as running and heard of.
    private static func complete(
        _ count: Int,
        _ sights: Sights,
        besides epoch: UInt64
    ) async throws -> ContinuousClock.Instant {
        while true {
            if let board = sights.board, board.connection == .live, let broker = board.broker,
                broker.epoch != epoch, !broker.isSettling,
                board.jobs.count(where: { $0.state == .running && !$0.isSilent }) == count
            {
                return .now
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private static func startBroker() async throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "progressbus")
        process.arguments = ["broker"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
