import Foundation
import ProgressBus
import Synchronization

/// `advance()` beside the bare atomic addition and Foundation's `Progress`.
enum AdvanceSection {
    static func measure(_ plan: Plan, _ report: inout Report) async throws {
        try oneThread(plan, &report)
        try severalThreads(plan, &report)
    }

    private static let depths = [1, 3, 5]

    private static func oneThread(_ plan: Plan, _ report: inout Report) throws {
        let steps = plan.count(20_000_000, quick: 100_000)
        let bus = BusClient(BusConfiguration(endpoint: "ipc:///tmp/progressbus-bench-nowhere"))
        let tasks = depths.map { chain(bus, depth: $0) }
        let progress = depths.map { foundation(depth: $0) }
        let bare = Bare()
        var added: [Double] = []
        var advanced = depths.map { _ in [Double]() }
        var completed = depths.map { _ in [Double]() }
        for _ in 0..<plan.rounds {
            // All in turns, so that a machine that slows down does so for all.
            added.append(nanoseconds(steps) { bare.add(steps) })
            for place in depths.indices {
                advanced[place].append(nanoseconds(steps) { advance(tasks[place], steps) })
                let few = steps / 50
                completed[place].append(nanoseconds(few) { complete(progress[place], few) })
            }
        }
        report.add("atomic add", Figure(added, unit: "ns"))
        for (place, depth) in depths.enumerated() {
            report.add(
                "advance(), depth \(depth)",
                Figure(advanced[place], unit: "ns").beside(
                    "atomic add",
                    ratios(advanced[place], to: added),
                    target: .ratioAtMost(1.2)
                )
            )
        }
        for (place, depth) in depths.enumerated() {
            let wish: [Int: Double] = [1: 9, 3: 60]
            report.add(
                "Foundation's Progress, depth \(depth)",
                Figure(completed[place], unit: "ns").beside(
                    "advance(), depth \(depth)",
                    ratios(completed[place], to: advanced[place]),
                    target: wish[depth].map { .ratioAtLeast($0) }
                )
            )
        }
    }

    private static func severalThreads(_ plan: Plan, _ report: inout Report) throws {
        let steps = plan.count(500_000, quick: 5_000)
        let bus = BusClient(BusConfiguration(endpoint: "ipc:///tmp/progressbus-bench-nowhere"))
        // Many, as what a fight costs depends on where in the processor the word's address belongs.
        let pairs = (0..<16).map { _ in (task: chain(bus, depth: 1), bare: Bare()) }
        for threads in [2, 8] {
            var added: [Double] = []
            var called: [Double] = []
            var advanced: [Double] = []
            let each = steps / threads
            for _ in 0..<plan.rounds {
                added.append(
                    nanoseconds(steps * pairs.count) {
                        for (_, bare) in pairs { together(threads) { bare.add(each) } }
                    }
                )
                called.append(
                    nanoseconds(steps * pairs.count) {
                        for (_, bare) in pairs { together(threads) { call(bare, each) } }
                    }
                )
                advanced.append(
                    nanoseconds(steps * pairs.count) {
                        for (task, _) in pairs { together(threads) { advance(task, each) } }
                    }
                )
            }
            let name = "atomic add, \(threads) threads"
            report.add(name, Figure(added, unit: "ns"))
            report.add(
                "call of an atomic add, \(threads) threads",
                Figure(called, unit: "ns").beside(name, ratios(called, to: added))
            )
            report.add(
                "advance(), \(threads) threads on one task",
                Figure(advanced, unit: "ns").beside(
                    name,
                    ratios(advanced, to: added),
                    target: .ratioAtMost(1.5)
                )
            )
        }
    }

    private static func chain(_ bus: BusClient, depth: Int) -> ProgressTask {
        var task = bus.beginJob("Measure an advance", total: 1_000_000_000)
        for level in 1..<max(depth, 2) where level < depth {
            task = task.beginChild("Level \(level)", total: 1_000_000_000)
        }
        return task
    }

    /// So many objects, each a child of the one before it; a child does not keep its parent.
    private static func foundation(depth: Int) -> [Progress] {
        var chain = [Progress(totalUnitCount: 1_000_000_000)]
        while chain.count < depth {
            chain.append(
                Progress(
                    totalUnitCount: 1_000_000_000,
                    parent: chain[chain.count - 1],
                    pendingUnitCount: 1_000_000_000
                )
            )
        }
        return chain
    }

    @inline(never)
    static func advance(_ task: ProgressTask, _ times: Int) {
        for _ in 0..<times { task.advance() }
    }

    @inline(never)
    private static func call(_ bare: Bare, _ times: Int) {
        for _ in 0..<times { bare.addOne() }
    }

    @inline(never)
    private static func complete(_ chain: [Progress], _ times: Int) {
        guard let deepest = chain.last else { return }
        for _ in 0..<times { deepest.completedUnitCount += 1 }
    }

    private static func together(_ threads: Int, _ work: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for _ in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                work()
                group.leave()
            }
        }
        group.wait()
    }
}

/// What counting costs at least.
final class Bare: Sendable {
    private let value = Atomic<Int64>(0)

    @inline(never)
    func add(_ times: Int) {
        for _ in 0..<times { value.wrappingAdd(1, ordering: .relaxed) }
    }

    /// For threads that fight: without a call between them, one of them makes several additions
    /// before another has its turn, which no work between them would allow.
    @inline(never)
    func addOne() {
        value.wrappingAdd(1, ordering: .relaxed)
    }
}

/// Nanoseconds for each of so many.
func nanoseconds(_ count: Int, _ work: () -> Void) -> Double {
    let began = ContinuousClock.now
    work()
    return began.duration(to: .now) / .nanoseconds(1) / Double(count)
}
