import Foundation
import ProgressBus

/// How long it takes until a follower sees that a worker was killed.
enum Deaths {
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
        let follower = BusFollower()
        var boards = follower.boards.makeAsyncIterator()
        var milliseconds: [Double] = []
        var known = 0
        for _ in 0..<count {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["jobs", "1"]
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let pid = Int(process.processIdentifier)
            func isShown(_ state: TaskSnapshot.State) async throws -> TaskSnapshot? {
                while let board = try await boards.next() {
                    let job = board.jobs.first { $0.process?.pid == pid && $0.state == state }
                    if let job { return job }
                }
                return nil
            }
            _ = try await isShown(.running)
            // Not always at the same moment of the broker's tick.
            try await Task.sleep(for: .milliseconds(Int.random(in: 100..<200)))
            let killed = ContinuousClock.now
            kill(process.processIdentifier, SIGKILL)
            let lost = try await isShown(.lost)
            milliseconds.append(killed.duration(to: .now) / .milliseconds(1))
            if lost?.exit == .signal(Int(SIGKILL)) { known += 1 }
            process.waitUntilExit()
        }
        milliseconds.sort()
        let list = milliseconds.map { String(format: "%.1f", $0) }.joined(separator: ",")
        print(
            #"{"median":\#(milliseconds[(count - 1) / 2]),"worst":\#(milliseconds[count - 1]),"#
                + #""signalKnown":\#(known),"milliseconds":[\#(list)]}"#
        )
    }
}
