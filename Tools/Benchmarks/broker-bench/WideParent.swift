/// One child of a parent changes: frame and tick, with few children and with very many.
enum WideParent {
    static func measure(greatest: Int, samples: Int) -> [Figure] {
        [10, greatest].map { count in
            var bus = Bus()
            var worker = Worker(number: 0)
            worker.sayHello(to: &bus)
            _ = worker.begin(1, below: 0, total: nil, on: &bus)
            let children = worker.begin(count, below: 1, total: 1_000, on: &bus)
            bus.tick()
            bus.tick()
            var completed: Int64 = 0
            let times = (0..<max(samples, 101)).map { _ in
                completed += 1
                let index = children.lowerBound + UInt64(completed) * 7_919 % UInt64(count)
                let frame = worker.amounts([index], at: completed, of: 1_000)
                return ProcessorClock.time {
                    bus.report(frame)
                    bus.tick()
                } * 1e6
            }
            return Figure("one of \(count) children changes", unit: "µs", times)
        }
    }
}
