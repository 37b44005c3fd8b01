import Foundation
import ProgressBus
import Synchronization

/// How long it takes until a follower that reads all the time sees that a worker was killed.
enum Deaths {
    private struct Sights {
        var running: Set<Int> = []
        var lost: [Int: (at: ContinuousClock.Instant, exit: TaskSnapshot.Exit?)] = [:]
    }

    static func measure(_ numbers: [Int]) async {
        guard let count = numbers.first, count > 0 else { exit(64) }
        do {
            try await measure(count)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(69)
        }
    }

    private static func measure(_ count: Int) async throws {
        let sights = Watcher()
        let follower = BusFollower()
        let boards = follower.boards
        let reading = Task {
            for try await board in boards { sights.look(at: board, at: .now) }
        }
        defer { reading.cancel() }
        var milliseconds: [Double] = []
        var known = 0
        for _ in 0..<count {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["jobs", "1"]
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let pid = Int(process.processIdentifier)
            while !sights.isRunning(pid) { try await Task.sleep(for: .milliseconds(10)) }
            // Not always at the same moment of the broker's tick.
            try await Task.sleep(for: .milliseconds(Int.random(in: 100..<200)))
            let killed = ContinuousClock.now
            kill(process.processIdentifier, SIGKILL)
            while sights.lost(pid) == nil { try await Task.sleep(for: .milliseconds(10)) }
            if let lost = sights.lost(pid) {
                milliseconds.append(killed.duration(to: lost.at) / .milliseconds(1))
                if lost.exit == .signal(Int(SIGKILL)) { known += 1 }
            }
            process.waitUntilExit()
        }
        milliseconds.sort()
        let list = milliseconds.map { String(format: "%.1f", $0) }.joined(separator: ",")
        print(
            #"{"median":\#(milliseconds[(count - 1) / 2]),"worst":\#(milliseconds[count - 1]),"#
                + #""signalKnown":\#(known),"milliseconds":[\#(list)]}"#
        )
    }

    /// What the reading task has seen.
    private final class Watcher: Sendable {
        private let sights = Mutex(Sights())

        func look(at board: Board, at now: ContinuousClock.Instant) {
            sights.withLock { sights in
                for job in board.jobs {
                    guard let pid = job.process?.pid else { continue }
                    if job.state == .running { sights.running.insert(pid) }
                    if job.state == .lost, sights.lost[pid] == nil {
                        sights.lost[pid] = (now, job.exit)
                    }
                }
            }
        }

        func isRunning(_ pid: Int) -> Bool { sights.withLock { $0.running.contains(pid) } }

        func lost(_ pid: Int) -> (at: ContinuousClock.Instant, exit: TaskSnapshot.Exit?)? {
            sights.withLock { $0.lost[pid] }
        }
    }
}
