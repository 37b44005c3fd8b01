import BrokerCore
import BusProtocol
import TaskTree

/// Very many jobs of one title: nobody is answered while the broker is at one turn, so that the
/// longest counts.
enum Jobs {
    private static let title = "nightly"

    static func measure(counts: [Int] = [10_000, 20_000, 60_000]) -> [Figure] {
        counts.flatMap { (count: Int) -> [Figure] in
            var figures = beginAndLeave(count) + adopted(count)
            figures += inFiles(count, jobsEach: 100) + inFiles(count, jobsEach: count / 3)
            return figures + spooled(count)
        }
    }

    /// They begin in one tick, fail in another, of which the oldest leave, and are all gone.
    private static func beginAndLeave(_ count: Int) -> [Figure] {
        var bus = Bus()
        var worker = Worker(number: 0)
        worker.sayHello(to: &bus)
        let jobs = worker.begin(count, below: 0, total: nil, title: title, on: &bus)
        let begin = ProcessorClock.time { bus.tick() }
        let half = jobs.lowerBound + UInt64(count / 2)
        worker.end(jobs.lowerBound..<half, .failed, title: title, on: &bus)
        let fail = ProcessorClock.time { bus.tick() }
        worker.end(half..<jobs.upperBound, .succeeded, title: title, on: &bus)
        bus.tick()
        bus.pass(seconds: 10)
        worker.beat(&bus)
        let leave = ProcessorClock.time { bus.tick() }
        return [
            Figure("\(count) jobs of one title begin", unit: "s", [begin]),
            Figure("half of them fail", unit: "s", [fail]),
            Figure("the others leave", unit: "s", [leave]),
        ]
    }

    /// Children of a parent that nobody has ever told of become jobs after a while.
    private static func adopted(_ count: Int) -> [Figure] {
        var bus = Bus()
        var worker = Worker(number: 0)
        worker.sayHello(to: &bus)
        let orphans = worker.begin(count, below: 1 << 40, total: nil, title: title, on: &bus)
        var times: [Double] = []
        for _ in 0..<260 {
            worker.beat(&bus)
            times.append(ProcessorClock.time { bus.tick() })
        }
        return [
            Figure(
                "\(orphans.count) orphans become jobs: longest tick",
                unit: "s",
                [times.max() ?? 0]
            ),
            Figure(
                "the seconds before: a tick on average",
                unit: "s",
                [times.prefix(180).reduce(0, +) / 180]
            ),
        ]
    }

    /// Last words of sessions with so many jobs together: one file is taken in as a whole, and the
    /// longest counts.
    private static func inFiles(_ count: Int, jobsEach: Int) -> [Figure] {
        var bus = Bus()
        var times: [Double] = []
        for number in 0..<(count / jobsEach) {
            let worker = Worker(number: number)
            guard let file = try? worker.lastWords(of: jobsEach, .succeeded, title: title) else {
                // The bench has made the file itself: nothing can be measured without it.
                fatalError("a file of the bench is refused")
            }
            times.append(
                ProcessorClock.time {
                    bus.collect(file, number: UInt64(number + 1))
                    bus.tick()
                }
            )
        }
        return [
            Figure(
                "\(count) jobs, \(jobsEach) in a file of the spool",
                unit: "s",
                [times.reduce(0, +)]
            ),
            Figure("one of the files", unit: "s", times),
        ]
    }

    /// Last words of as many sessions as jobs, taken in one after another.
    private static func spooled(_ count: Int) -> [Figure] {
        var bus = Bus()
        var times: [Double] = []
        for number in 0..<count {
            guard let file = try? Worker(number: number).lastWords(.failed, title: title) else {
                // The bench has made the file itself: nothing can be measured without it.
                fatalError("a file of the bench is refused")
            }
            times.append(
                ProcessorClock.time {
                    bus.collect(file, number: UInt64(number + 1))
                    if number.isMultiple(of: 16) { bus.tick() }
                }
            )
        }
        return [
            Figure("\(count) files of the spool", unit: "s", [times.reduce(0, +)]),
            Figure("one of them", unit: "s", times),
        ]
    }
}
