import Foundation
import ProcessMemory
import ProgressBus

/// What a process of very many short children sends and keeps.
enum TrafficSection {
    static func measure(_ plan: Plan, _ report: inout Report) async throws {
        let count = plan.count(10_000_000, quick: 20_000)
        var growth: [Double] = []
        var frames: [Double] = []
        var bytes: [Double] = []
        for _ in 0..<(plan.isQuick ? 1 : 3) {
            let broker = try CountingBroker()
            defer { broker.stop() }
            let process = try ChildProcess(
                role: ["short-children", "\(count)"],
                endpoint: broker.endpoint
            )
            let said = try process.object()
            guard let grown = said["growth"], let ticks = said["ticks"], ticks > 0 else {
                throw Obstacle("short-children printed no growth and ticks")
            }
            growth.append(grown)
            frames.append(Double(broker.counts.reports) / ticks)
            bytes.append(Double(broker.counts.bytes) / Double(count))
        }
        let many = count == 10_000_000 ? "10^7" : "\(count)"
        report.add(
            "memory that \(many) short children add",
            Figure(growth, unit: "bytes", target: .atMost(1_000_000))
        )
        report.add(
            "report frames of \(many) short children",
            Figure(frames, unit: "per tick", target: .atMost(1))
        )
        report.add("bytes sent for each of \(many) short children", Figure(bytes, unit: "bytes"))
    }

    // MARK: - In a process of its own

    static func shortChildren(_ count: Int) async {
        let bus = BusClient()
        let job = bus.beginJob("Check all files", total: count)
        _ = await bus.sync(timeout: .seconds(5))
        // What is allocated once is allocated by then.
        ChildrenSection.work(job, count / 20)
        let before = ProcessMemory.peak
        let began = ContinuousClock.now
        ChildrenSection.work(job, count - count / 20)
        let ticks = began.duration(to: .now) / .milliseconds(50)
        let growth = ProcessMemory.peak - before
        job.succeed()
        await bus.close(timeout: .seconds(10))
        // The beginning, and the first change after a rest that does not wait for a tick.
        print(#"{"growth":\#(growth),"ticks":\#(ticks.rounded(.up) + 2)}"#)
    }
}
