import ProcessMemory

/// Bytes of heap for each task of the great tree, titles of 20 bytes included: when all have begun,
/// and when all have advanced a few times.
///
/// One sample: where an earlier tree has been, the next one grows into what that left behind.
enum Memory {
    static func measure(tasks: Int) -> [Figure] {
        let before = ProcessMemory.present
        var forest = Forest(leaves: tasks)
        let count = Double(forest.leafCount)
        // What was sent is on its way: it is nobody's memory here.
        _ = forest.bus.takeSent()
        let begun = Double(ProcessMemory.present - before) / count
        for _ in 0..<4 {
            for frame in forest.round() { forest.bus.report(frame) }
            forest.bus.pass(seconds: 0.5)
            forest.beat()
            forest.bus.tick()
        }
        _ = forest.bus.takeSent()
        let advanced = Double(ProcessMemory.present - before) / count
        withExtendedLifetime(forest) {}
        return [
            Figure("memory of a task that has begun", unit: "B", [begun], target: 900),
            Figure("memory of a task that has advanced", unit: "B", [advanced], target: 1_400),
        ]
    }
}
