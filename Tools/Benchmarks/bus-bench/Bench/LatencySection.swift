import Foundation
import ProgressBus
import RawZeroMQ

/// How long a change takes from a worker through the broker to a follower in another process.
enum LatencySection {
    static func measure(_ plan: Plan, _ report: inout Report) async throws {
        let trips = plan.count(10_000, quick: 500)
        let changes = plan.count(60, quick: 5)
        let rounds = plan.isQuick ? 1 : 5
        var raw: [Double] = []
        var rested: [Double] = []
        var medians: [Double] = []
        var late: [Double] = []
        var inARow: [Double] = []
        var progress: [Double] = []
        var lateProgress: [Double] = []
        var overSSH: [Double] = []
        var lateOverSSH: [Double] = []
        for _ in 0..<rounds {
            raw.append(try roundTrip(trips, pause: 0))
            rested.append(try roundTrip(changes, pause: 150_000))
            let broker = try RealBroker()
            let seen = try await watch(broker.endpoint, by: broker.endpoint, changes)
            medians.append(seen.endings.at(0.5))
            late.append(seen.endings.at(0.99))
            progress.append(seen.amounts.at(0.5))
            lateProgress.append(seen.amounts.at(0.99))
            if let host = Self.sshHost {
                let third = try RealBroker()
                let way = "ssh://" + host + third.endpoint.dropFirst("ipc://".count)
                let seen = try await watch(third.endpoint, by: way, changes)
                overSSH.append(seen.endings.at(0.5))
                lateOverSSH.append(seen.endings.at(0.99))
            }
            let other = try RealBroker()
            inARow.append(try await watchInARow(other.endpoint, changes).at(0.5))
        }
        let row = "round trip of libzmq alone, ipc"
        let rest = "round trip of libzmq alone after a rest of 150 ms"
        report.add(row, Figure(raw, unit: "us"))
        report.add(rest, Figure(rested, unit: "us"))
        // What nobody has used for a while has left the caches: like is compared with like.
        report.add(
            "state change in a row, worker to follower, median",
            Figure(inARow, unit: "us").beside(
                row,
                ratios(inARow, to: raw),
                target: .ratioAtMost(10)
            )
        )
        report.add(
            "state change after a rest, worker to follower, median",
            Figure(medians, unit: "us").beside(
                rest,
                ratios(medians, to: rested),
                target: .ratioAtMost(10)
            )
        )
        report.add(
            "state change after a rest, worker to follower, 99th percentile",
            Figure(late, unit: "us", target: .atMost(5_000))
        )
        if Self.sshHost != nil {
            report.add(
                "state change after a rest, follower behind ssh, median",
                Figure(overSSH, unit: "us", target: .atMost(3_000))
            )
            report.add(
                "state change after a rest, follower behind ssh, 99th percentile",
                Figure(lateOverSSH, unit: "us", target: .atMost(60_000))
            )
        }
        report.add(
            "progress, worker to follower, median",
            Figure(progress, unit: "us", target: .atMost(100_000))
        )
        report.add(
            "progress, worker to follower, 99th percentile",
            Figure(lateProgress, unit: "us", target: .atMost(100_000))
        )
    }

    /// A name of this machine to which ssh connects without a question.
    private static var sshHost: String? {
        ProcessInfo.processInfo.environment["BENCH_SSH_HOST"]
    }

    /// The median in microseconds; `pause` is how many pass before each.
    private static func roundTrip(_ count: Int, pause: Int32) throws -> Double {
        let directory = try newDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let address = "ipc://\(directory)/echo"
        let process = try ChildProcess(role: ["echo", address], endpoint: "")
        defer { kill(process.pid, SIGKILL) }
        var times = [Int64](repeating: 0, count: count)
        guard round_trips(address, Int32(count), pause, &times) == 1 else {
            throw Obstacle("libzmq makes no round trips")
        }
        return times.map { Double($0) / 1_000 }.sorted().at(0.5)
    }

    private struct Seen {
        var endings: [Double] = []
        var amounts: [Double] = []
    }

    /// Looks at a worker that writes the time into all it says; microseconds, sorted.
    private static func watch(
        _ endpoint: String,
        by way: String,
        _ count: Int
    ) async throws -> Seen {
        let follower = BusFollower(BusConfiguration(endpoint: way))
        defer { follower.close() }
        try await follower.connect()
        let boards = follower.boards(depth: nil)
        let worker = try ChildProcess(role: ["change", "\(count)"], endpoint: endpoint)
        var seen = Seen()
        var amounts: Set<Int64> = []
        var reasons: Set<String> = []
        for try await board in boards {
            let now = monotonic()
            for task in board.jobs.flatMap({ all($0) }) {
                if let reason = task.reason, let said = Int64(reason),
                    reasons.insert(reason).inserted
                {
                    seen.endings.append(Double(now - said) / 1_000)
                }
                if task.title == "Count", task.completed > 1,
                    amounts.insert(task.completed).inserted
                {
                    seen.amounts.append(Double(now - task.completed) / 1_000)
                }
            }
            if seen.endings.count >= count, seen.amounts.count >= count { break }
            // The last words of the worker are in its ending, which is seen like the others.
            if board.jobs.contains(where: { $0.title == "Count" && $0.endedAt != nil }) { break }
        }
        _ = worker
        seen.endings.sort()
        seen.amounts.sort()
        guard seen.endings.count * 10 >= count * 9, seen.amounts.count * 10 >= count * 9 else {
            throw Obstacle(
                "of \(count) changes \(seen.endings.count) endings and \(seen.amounts.count) "
                    + "amounts were seen"
            )
        }
        return seen
    }

    /// Looks at a worker that changes something as soon as it is told that the last change was seen;
    /// microseconds, sorted.
    private static func watchInARow(_ endpoint: String, _ count: Int) async throws -> [Double] {
        let follower = BusFollower(BusConfiguration(endpoint: endpoint))
        defer { follower.close() }
        let boards = follower.boards(depth: nil)
        let worker = try ChildProcess(role: ["changes-in-a-row", "\(count)"], endpoint: endpoint)
        var times: [Double] = []
        var reasons: Set<String> = []
        var hasBegun = false
        for try await board in boards {
            let now = monotonic()
            let children = board.jobs.flatMap(\.children)
            for reason in children.compactMap(\.reason) where reasons.insert(reason).inserted {
                guard let said = Int64(reason) else { continue }
                times.append(Double(now - said) / 1_000)
                worker.nod()
            }
            if times.count == count { break }
            if !hasBegun, children.count == count {
                hasBegun = true
                worker.nod()
            }
            guard board.jobs.first?.endedAt == nil else {
                throw Obstacle("of \(count) changes in a row \(times.count) were seen")
            }
        }
        return times.sorted()
    }

    private static func all(_ task: TaskSnapshot) -> [TaskSnapshot] {
        [task] + task.children.flatMap { all($0) }
    }

    // MARK: - In a process of its own

    /// A job whose amount is the time, and children that fail with the time as their reason.
    static func change(_ count: Int) async {
        let bus = BusClient()
        let job = bus.beginJob("Count")
        _ = await bus.sync(timeout: .seconds(10))
        for number in 0..<count {
            let child = job.beginChild("Change \(number)")
            // Not in step with the ticks of anybody; the child is on the follower's screen by then.
            let pause = 130 + (number * 37) % 60
            try? await Task.sleep(for: .milliseconds(pause))
            child.fail("\(monotonic())")
            try? await Task.sleep(for: .milliseconds(pause / 2))
            job.complete(Int(monotonic()))
        }
        try? await Task.sleep(for: .milliseconds(500))
        job.succeed()
        await bus.close(timeout: .seconds(10))
        // Until it is told: the follower may still look at it.
        try? await Task.sleep(for: .seconds(60))
    }

    /// A job whose children fail one after the other, each when standard input has a line.
    static func changeInARow(_ count: Int) async {
        let bus = BusClient()
        let job = bus.beginJob("Count")
        let children = (0..<count).map { job.beginChild("Change \($0)") }
        _ = await bus.sync(timeout: .seconds(10))
        // A session says an early change 5 ms after the last at the soonest, and a follower gives
        // its consumer five values in a tick of 50 ms at most: a change that is sooner waits.
        let gap = Duration.microseconds(12_500)
        var next = ContinuousClock.now
        for child in children {
            guard readLine() != nil else { break }
            let pause = ContinuousClock.now.duration(to: next) / .microseconds(1)
            // Until it may be said: sooner, its wait for that would be measured.
            if pause > 0 { usleep(UInt32(pause)) }
            next = .now + gap
            child.fail("\(monotonic())")
        }
        _ = readLine()
        job.succeed()
        await bus.close(timeout: .seconds(10))
    }

    /// Nanoseconds, of the same clock in all processes.
    static func monotonic() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
