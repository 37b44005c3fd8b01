import BrokerCore
import BusProtocol
import TaskTree

/// A follower pulls all rows of a job, page by page; frames are encoded as they would be sent.
enum Snapshot {
    static func measure(tasks: Int, samples: Int) -> [Figure] {
        var bus = Bus()
        var worker = Worker(number: 0)
        worker.sayHello(to: &bus)
        _ = worker.begin(1, below: 0, total: nil, on: &bus)
        for parent in worker.begin(100, below: 1, total: nil, on: &bus) {
            _ = worker.begin(tasks / 100, below: parent, total: 1_000, on: &bus)
        }
        bus.tick()
        bus.tick()
        let topic = Topic.job(TaskID(index: 1, session: worker.id)).name
        var totals: [Double] = []
        var longest: [Double] = []
        for _ in 0..<samples {
            let pages = pull(topic, by: worker, from: &bus)
            totals.append(pages.reduce(0, +))
            longest.append((pages.max() ?? 0) * 1e3)
        }
        return [
            Figure("snapshot of \(tasks) tasks", unit: "s", totals, target: 5),
            Figure("longest step of it", unit: "ms", longest, target: 20),
        ]
    }

    /// Seconds that each page takes.
    static func pull(_ topic: String, by worker: Worker, from bus: inout Bus) -> [Double] {
        var times: [Double] = []
        var request = WireSnapshotRequest()
        request.request = 1
        request.topic = topic
        var isLast = false
        while !isLast {
            _ = bus.takeSent()
            times.append(
                ProcessorClock.time {
                    worker.speak(.snapshot(request), to: &bus)
                    for frame in bus.takeSent() {
                        _ = Frame.encode(frame)
                        guard case .snapshot(let chunk) = frame.body else { continue }
                        request.cursorBytes = chunk.cursorBytes
                        isLast = chunk.last
                    }
                }
            )
        }
        return times
    }
}
