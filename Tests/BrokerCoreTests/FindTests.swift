import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What the answer to find says of the way to a task.
@Suite struct FindTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    /// Job 1 with children 2 and 3; 4 and 5 below 3.
    private func bus() -> Bus {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(2, "Left", parent: worker.task(1)),
                worker.description(3, "Right", parent: worker.task(1)),
                worker.description(4, "One", parent: worker.task(3)),
                worker.description(5, "Two", parent: worker.task(3)),
            ]
        }
        bus.pass()
        return bus
    }

    private func found(_ text: String, in bus: inout Bus) -> [WireFoundTask] {
        var find = WireFind()
        find.request = 9
        find.text = text
        bus.control(viewer, .find(find))
        guard case .found(let found)? = bus.answers(to: viewer).last else { return [] }
        return found.tasks
    }

    @Test("a job: its slot and no path")
    func job() throws {
        var bus = bus()
        let task = try #require(found("key:Job", in: &bus).first)
        #expect(task.slot == 1)
        #expect(task.path.isEmpty && task.place.isEmpty)
    }

    @Test("the first question to a new broker: found as the journal has it")
    func atOnceAfterARestart() {
        var bus = bus()
        let ending = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(2, [ending]))
        bus.pass()
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        #expect(found("key:Job", in: &next).map(\.task) == [WireTaskRef(worker.task(1))])
    }

    @Test("a task below: the ids from the job down, and a place for each step")
    func below() throws {
        var bus = bus()
        let task = try #require(found("id:\(worker.task(5))", in: &bus).first)
        #expect(task.job == WireTaskRef(worker.task(1)) && task.slot == 1)
        #expect(task.path == [WireTaskRef(worker.task(1)), WireTaskRef(worker.task(3))])
        #expect(task.place == [2, 2])
    }

    @Test("cell:N@ID is the task in that cell of that job")
    func cell() throws {
        var bus = bus()
        let rows = bus.rows(of: .job(worker.task(1)), asking: viewer)
        for row in rows where row.description_p.hasCell {
            let text = "cell:\(row.description_p.cell)@\(worker.task(1))"
            #expect(found(text, in: &bus).map(\.task) == [row.task])
        }
        #expect(rows.count { $0.description_p.hasCell } == 4)
    }

    @Test(
        "a cell that is none finds nothing",
        arguments: ["cell:", "cell:9@", "cell:0@JOB", "cell:99@JOB", "cell:x@JOB", "cell:1@1-0"]
    )
    func noCell(text: String) {
        var bus = bus()
        let text = text.replacing("JOB", with: worker.task(1).description)
        #expect(found(text, in: &bus).isEmpty)
    }
}
