import Foundation
import ProcessMemory
import ProgressBus

/// Beginning and ending children: time and memory.
enum ChildrenSection {
    static func measure(_ plan: Plan, _ report: inout Report) async throws {
        let count = plan.count(300_000, quick: 2_000)
        var alone: [Double] = []
        var connected: [Double] = []
        let broker = try CountingBroker()
        for _ in 0..<plan.rounds {
            alone.append(try await run("children", "\(count)", on: nil, field: "nanoseconds"))
            connected.append(
                try await run("children", "\(count)", on: broker, field: "nanoseconds")
            )
        }
        broker.stop()
        report.add(
            "begin and succeed a child, no broker",
            Figure(alone, unit: "ns", target: .atMost(800))
        )
        report.add(
            "begin and succeed a child, connected",
            Figure(connected, unit: "ns", target: .atMost(800))
        )

        let alive = plan.count(1_000_000, quick: 20_000)
        var bytes: [Double] = []
        for _ in 0..<min(plan.rounds, 5) {
            bytes.append(try await run("alive", "\(alive)", on: nil, field: "bytes"))
        }
        report.add("a child while it is alive", Figure(bytes, unit: "bytes", target: .atMost(400)))
    }

    /// What a process of this role prints.
    static func run(
        _ role: String,
        _ arguments: String...,
        on broker: CountingBroker?,
        field: String
    ) async throws -> Double {
        let process = try ChildProcess(
            role: [role] + arguments,
            endpoint: broker?.endpoint ?? "ipc:///tmp/progressbus-bench-nowhere"
        )
        guard let value = try process.object()[field] else {
            throw Obstacle("\(role) printed no \(field)")
        }
        return value
    }

    // MARK: - In processes of their own

    /// Children that end at once.
    static func children(_ count: Int) async {
        let bus = BusClient()
        let job = bus.beginJob("Check all files", total: count)
        _ = await bus.sync(timeout: .seconds(2))
        work(job, count / 10)
        let took = nanoseconds(count) { work(job, count) }
        print(#"{"nanoseconds":\#(took)}"#)
    }

    /// Children that run until all have begun.
    static func alive(_ count: Int) {
        let bus = BusClient()
        let job = bus.beginJob("Check all files", total: count)
        var children: [ProgressTask] = []
        children.reserveCapacity(count)
        for _ in 0..<1_000 { children.append(job.beginChild("Check one file", total: 1)) }
        let before = ProcessMemory.present
        for _ in 1_000..<count { children.append(job.beginChild("Check one file", total: 1)) }
        // The array's own pages were not touched before.
        let growth = ProcessMemory.present - before - 8 * (count - 1_000)
        print(#"{"bytes":\#(Double(growth) / Double(count - 1_000))}"#)
        for child in children { child.succeed() }
    }

    @inline(never)
    static func work(_ job: ProgressTask, _ count: Int) {
        for _ in 0..<count {
            let child = job.beginChild("Check one file", total: 1)
            child.advance()
            child.succeed()
        }
    }
}
