import BrokerCore
import BusProtocol

/// What a dashboard asks first: totals, what needs attention, and every page of a board of jobs.
enum Summary {
    static func measure(jobs: Int, samples: Int) -> [Figure] {
        var bus = Bus()
        var worker = Worker(number: 0)
        worker.sayHello(to: &bus)
        _ = worker.begin(jobs, below: 0, total: 1_000, on: &bus)
        bus.tick()
        bus.tick()
        let pages = (jobs + ProtocolLimits.boardSlots - 1) / ProtocolLimits.boardSlots
        let topics = [Topic.totals, .attention] + (0..<pages).map { Topic.board(page: $0) }
        let times = (0..<samples).map { _ in
            topics.reduce(0) { sum, topic in
                sum + Snapshot.pull(topic.name, by: worker, from: &bus).reduce(0, +)
            } * 1e3
        }
        return [Figure("summary of \(jobs) jobs", unit: "ms", times, target: 100)]
    }
}
