import BusProtocol
import TaskTree

/// What one find costs with very many tasks.
enum Finding {
    static func measure(tasks: Int, samples: Int) -> [Figure] {
        let forest = Forest(leaves: tasks)
        var bus = forest.bus
        let worker = forest.workers[3]
        let id = TaskID(index: 4_711, session: worker.id).description
        let texts = [
            ("id", "id:\(id)"), ("whole id", id), ("prefix of an id", String(id.prefix(8))),
            ("prefix of nothing", "zzzzzzz"), ("key", "key:nobody"),
        ]
        return texts.map { name, text in
            var find = WireFind()
            find.request = 1
            find.text = text
            let times = (0..<samples).map { _ in
                ProcessorClock.time { worker.speak(.find(find), to: &bus) } * 1e6
            }
            _ = bus.takeSent()
            return Figure("find a \(name) among \(tasks)", unit: "µs", times)
        }
    }
}
