import Foundation

/// Bytes of heap for each task of the great tree, titles of 20 bytes included: when all have begun,
/// and when all have advanced a few times.
///
/// One sample: where an earlier tree has been, the next one grows into what that left behind.
enum Memory {
    static func measure(tasks: Int) -> [Figure] {
        let before = used()
        var forest = Forest(leaves: tasks)
        let count = Double(forest.leafCount)
        let begun = Double(used() - before) / count
        for _ in 0..<4 {
            for frame in forest.round() { forest.bus.report(frame) }
            forest.bus.pass(seconds: 0.5)
            forest.beat()
            forest.bus.tick()
        }
        let advanced = Double(used() - before) / count
        withExtendedLifetime(forest) {}
        return [
            Figure("memory of a task that has begun", unit: "B", [begun], target: 250),
            Figure("memory of a task that has advanced", unit: "B", [advanced], target: 250),
        ]
    }

    /// Bytes of memory that the process holds, as the system counts them.
    private static func used() -> Int {
        #if os(Linux)
        let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(getpagesize())
        #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss)
        #endif
    }
}
