import BusProtocol

/// What a tick takes after so many tasks have changed, spread over trees of several sizes.
enum Ticks {
    static func measure(greatest: Int, samples: Int) -> [Figure] {
        var sizes = [10_000, 100_000, 1_000_000].filter { $0 < greatest }
        sizes.append(greatest)
        return sizes.flatMap { size -> [Figure] in
            var forest = Forest(leaves: size)
            forest.bus.subscribe(Topic.totals.name)
            return [10, 1_000, 100_000].filter { $0 <= size }.map { changed in
                _ = time(changed, &forest)
                let times = (0..<samples).map { _ in time(changed, &forest) * 1e6 }
                return Figure(
                    "tick, \(changed) of \(size) tasks changed",
                    unit: "µs",
                    times,
                    target: changed == 10 ? 100 : nil
                )
            }
        }
    }

    private static func time(_ changed: Int, _ forest: inout Forest) -> Double {
        for frame in forest.spread(changed) { forest.bus.report(frame) }
        return ProcessorClock.time { forest.bus.tick() }
    }
}
