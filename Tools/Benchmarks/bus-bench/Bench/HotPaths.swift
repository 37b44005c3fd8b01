import BusProtocol
import ProgressBus

/// The hot paths, each in a function whose name begins with `measured_`, so that a counter of
/// instructions finds it in a release build; see Tools/Benchmarks/check-costs.
enum HotPaths {
    static let names = [
        "atomic_add", "advance_depth_1", "advance_depth_3", "advance_depth_5", "child", "tick_1",
        "tick_1000", "decode_1", "decode_1000",
    ]

    /// Goes through one of them; returns how many steps it was, nil if there is none of this name.
    static func run(_ name: String) -> Int? {
        switch name {
        case "atomic_add": return steps(10_000) { measured_atomic_add(Bare(), $0) }
        case "advance_depth_1": return advance(depth: 1)
        case "advance_depth_3": return advance(depth: 3)
        case "advance_depth_5": return advance(depth: 5)
        case "child":
            let job = nowhere().beginJob("Count instructions", total: 1_000_000)
            // What is allocated once is allocated by then.
            ChildrenSection.work(job, 2_000)
            return steps(2_000) { measured_child(job, $0) }
        case "tick_1": return tick(1)
        case "tick_1000": return tick(1_000)
        case "decode_1": return decode(1)
        case "decode_1000": return decode(1_000)
        default: return nil
        }
    }

    private static func nowhere() -> BusClient {
        BusClient(BusConfiguration(endpoint: "ipc:///tmp/progressbus-bench-nowhere"))
    }

    private static func steps(_ count: Int, _ path: (Int) -> Void) -> Int {
        path(count)
        return count
    }

    private static func advance(depth: Int) -> Int {
        var task = nowhere().beginJob("Count instructions", total: 1_000_000)
        for level in 1..<6 where level < depth {
            task = task.beginChild("Level \(level)", total: 1_000_000)
        }
        task.advance()
        return steps(10_000) { measured_advance(task, $0) }
    }

    /// A rehearsal in which so many tasks have changed, after some ticks.
    private static func changed(_ count: Int) -> ReportingRehearsal {
        var rehearsal = ReportingRehearsal(tasks: count)
        for _ in 0..<3 {
            rehearsal.advanceAll()
            _ = rehearsal.tick()
        }
        rehearsal.advanceAll()
        return rehearsal
    }

    private static func tick(_ count: Int) -> Int {
        var rehearsal = changed(count)
        let frame = measured_tick(&rehearsal)
        check((try? Frame.decodeReport(frame))?.amountIndex.count ?? 0, count)
        return 1
    }

    private static func decode(_ count: Int) -> Int {
        var rehearsal = changed(count)
        let frame = rehearsal.tick()
        // Once before, as decoding for the first time sets things up as well.
        check((try? Frame.decodeReport(frame))?.amountIndex.count ?? 0, count)
        check(measured_decode(frame), count)
        return 1
    }

    private static func check(_ amounts: Int, _ count: Int) {
        guard amounts == count else {
            fail(70, "the report of \(count) changed tasks has \(amounts) amounts")
        }
    }
}

// Names as they are, without Swift's mangling, for the counter.

@_silgen_name("measured_atomic_add") @inline(never)
private func measured_atomic_add(_ bare: Bare, _ times: Int) {
    bare.add(times)
}

@_silgen_name("measured_advance") @inline(never)
private func measured_advance(_ task: ProgressTask, _ times: Int) {
    for _ in 0..<times { task.advance() }
}

@_silgen_name("measured_child") @inline(never)
private func measured_child(_ job: ProgressTask, _ times: Int) {
    for _ in 0..<times {
        let child = job.beginChild("Check one file", total: 1)
        child.advance()
        child.succeed()
    }
}

@_silgen_name("measured_tick") @inline(never)
private func measured_tick(_ rehearsal: inout ReportingRehearsal) -> [UInt8] {
    rehearsal.tick()
}

@_silgen_name("measured_decode") @inline(never)
private func measured_decode(_ frame: [UInt8]) -> Int {
    (try? Frame.decodeReport(frame))?.amountIndex.count ?? 0
}
