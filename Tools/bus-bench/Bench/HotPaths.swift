import BusProtocol
import ProgressBus

/// The hot paths, each in a function whose name begins with `measured_`, so that a counter of
/// instructions finds them in a release build; see Tools/check-costs.
enum HotPaths {
    /// Prints for each how many steps it is: "NAME STEPS".
    static func run() {
        let bus = BusClient(BusConfiguration(endpoint: "ipc:///tmp/progressbus-bench-nowhere"))
        let bare = Bare()
        measured("atomic_add", many) { measured_atomic_add(bare, $0) }
        var task = bus.beginJob("Count instructions", total: 1_000_000)
        for depth in 1...5 {
            if depth > 1 { task = task.beginChild("Level \(depth)", total: 1_000_000) }
            task.advance()
            switch depth {
            case 1: measured("advance_depth_1", many) { measured_advance_depth_1(task, $0) }
            case 3: measured("advance_depth_3", many) { measured_advance_depth_3(task, $0) }
            case 5: measured("advance_depth_5", many) { measured_advance_depth_5(task, $0) }
            default: break
            }
        }
        let job = bus.beginJob("Count instructions of children", total: 1_000_000)
        // What is allocated once is allocated by then.
        measured_child(job, 2_000)
        measured("child", 2_000) { measured_child(job, $0) }
        for count in [1, 1_000] {
            var rehearsal = ReportingRehearsal(tasks: count)
            for _ in 0..<3 { _ = measured_tick(&rehearsal) }
            rehearsal.advanceAll()
            var frame: [UInt8] = []
            switch count {
            case 1: measured("tick_1", 1) { _ in frame = measured_tick_1(&rehearsal) }
            default: measured("tick_1000", 1) { _ in frame = measured_tick_1000(&rehearsal) }
            }
            // Once before, as decoding for the first time sets things up as well.
            _ = measured_decode(frame)
            var amounts = 0
            switch count {
            case 1: measured("decode_1", 1) { _ in amounts = measured_decode_1(frame) }
            default: measured("decode_1000", 1) { _ in amounts = measured_decode_1000(frame) }
            }
            guard amounts == count else {
                BusBench.fail(70, "the report of \(count) tasks has \(amounts) amounts")
            }
        }
    }

    private static let many = 10_000

    private static func measured(_ name: String, _ steps: Int, _ path: (Int) -> Void) {
        path(steps)
        print("\(name) \(steps)")
    }
}

// Names as they are, without Swift's mangling, for the counter.

@_silgen_name("measured_atomic_add") @inline(never)
private func measured_atomic_add(_ bare: Bare, _ times: Int) {
    bare.add(times)
}

@_silgen_name("measured_advance_depth_1") @inline(never)
private func measured_advance_depth_1(_ task: ProgressTask, _ times: Int) {
    for _ in 0..<times { task.advance() }
}

@_silgen_name("measured_advance_depth_3") @inline(never)
private func measured_advance_depth_3(_ task: ProgressTask, _ times: Int) {
    for _ in 0..<times { task.advance() }
}

@_silgen_name("measured_advance_depth_5") @inline(never)
private func measured_advance_depth_5(_ task: ProgressTask, _ times: Int) {
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

@inline(never)
private func measured_tick(_ rehearsal: inout ReportingRehearsal) -> [UInt8] {
    rehearsal.advanceAll()
    return rehearsal.tick()
}

@_silgen_name("measured_tick_1") @inline(never)
private func measured_tick_1(_ rehearsal: inout ReportingRehearsal) -> [UInt8] {
    rehearsal.tick()
}

@_silgen_name("measured_tick_1000") @inline(never)
private func measured_tick_1000(_ rehearsal: inout ReportingRehearsal) -> [UInt8] {
    rehearsal.tick()
}

private func measured_decode(_ frame: [UInt8]) -> Int {
    (try? Frame.decodeReport(frame))?.amountIndex.count ?? 0
}

@_silgen_name("measured_decode_1") @inline(never)
private func measured_decode_1(_ frame: [UInt8]) -> Int { measured_decode(frame) }

@_silgen_name("measured_decode_1000") @inline(never)
private func measured_decode_1000(_ frame: [UInt8]) -> Int { measured_decode(frame) }
