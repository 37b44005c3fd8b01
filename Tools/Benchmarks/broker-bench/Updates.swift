import BusProtocol

/// Updates a second and core: frames of 1,000 changed tasks are decoded and aggregated, with a tick
/// after 250 of them; a dashboard looks at the board and one job.
enum Updates {
    private static let target = 1.5e6
    private static let framesPerTick = 250

    static func measure(tasks: Int, samples: Int) -> [Figure] {
        var forest = Forest(leaves: tasks)
        forest.bus.subscribe(Topic.totals.name)
        forest.bus.subscribe(Topic.board(page: 0).name)
        // The first rounds only make what lives as long as a task does.
        for _ in 0..<2 { play(forest.round(), in: &forest) }
        var rates: [Double] = []
        var aged: [Double] = []
        for _ in 0..<samples { rates.append(rate(&forest)) }
        // Ten minutes later, when work is gathered in longer blocks.
        for _ in 0..<600 {
            forest.bus.pass(seconds: 1)
            forest.beat()
            forest.bus.tick()
        }
        play(forest.round(), in: &forest)
        for _ in 0..<samples { aged.append(rate(&forest)) }
        return [
            Figure("updates a second", unit: "/s", rates, target: target, isAtLeast: true),
            Figure(
                "updates a second, after 10 minutes",
                unit: "/s",
                aged,
                target: target,
                isAtLeast: true
            ),
        ]
    }

    private static func rate(_ forest: inout Forest) -> Double {
        let frames = forest.round()
        let updates = forest.leafCount
        return Double(updates) / ProcessorClock.time { play(frames, in: &forest) }
    }

    private static func play(_ frames: [[UInt8]], in forest: inout Forest) {
        for (number, frame) in frames.enumerated() {
            forest.bus.report(frame)
            if number % framesPerTick == framesPerTick - 1 { forest.bus.tick() }
        }
        if frames.count % framesPerTick != 0 { forest.bus.tick() }
    }
}
