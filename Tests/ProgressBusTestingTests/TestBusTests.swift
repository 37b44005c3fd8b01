import ProgressBus
import ProgressBusTesting
import Synchronization
import Testing

@Suite("A bus in memory")
struct TestBusTests {
    @Test("What is reported is there at once, with its children")
    func reported() throws {
        let bus = TestBus()
        let job = bus.client.beginJob("Import photos", total: 3, unit: .files)
        job.advance()
        let child = job.beginChild("Read one", share: 1, total: 8)
        child.advance(by: 2)
        child.setDetail("a.jpg")
        let shown = try #require(bus.jobs.first)
        #expect(bus.jobs.count == 1)
        #expect(shown.title == "Import photos" && shown.state == .running && shown.slot == 1)
        #expect(shown.completed == 1 && shown.total == 3 && shown.unit == "files")
        let part = try #require(shown.children.first)
        #expect(part.completed == 2 && part.detail == "a.jpg" && part.fraction == 0.25)
        #expect(bus.task(titled: "Read one") == part)
        #expect(bus.task(titled: "Write one") == nil)
        child.succeed()
        job.fail("The disk is full.")
        #expect(bus.jobs.first?.state == .failed)
        #expect(bus.jobs.first?.reason == "The disk is full.")
    }

    @Test("Time passes only as it is told to: rates, stalls and departures follow from it")
    func time() throws {
        let bus = TestBus()
        let job = bus.client.beginJob("Copy", total: 100)
        for _ in 0..<10 {
            job.advance(by: 2)
            bus.advance(by: .seconds(1))
        }
        let shown = try #require(bus.jobs.first)
        #expect(shown.elapsed == 10)
        let (rate, left) = (try #require(shown.rate), try #require(shown.secondsLeft))
        #expect(abs(rate - 2) < 0.3 && abs(left - 40) < 8)
        #expect(bus.jobs.first?.secondsLeft == left)
        bus.advance(by: .seconds(120))
        #expect(bus.jobs.first?.isStalled == true && bus.jobs.first?.isSilent == false)
        job.succeed()
        bus.advance(by: .seconds(9))
        #expect(bus.jobs.count == 1)
        bus.advance(by: .seconds(2))
        #expect(bus.jobs.isEmpty)
    }

    @Test("The same script gives the same board, whenever it runs")
    func sameBoard() {
        func play() -> [TaskSnapshot] {
            let bus = TestBus()
            let job = bus.client.beginJob("Encode", total: 50)
            for step in 0..<20 {
                job.advance(by: step % 3)
                bus.advance(by: .milliseconds(700))
            }
            var jobs = bus.jobs
            for index in jobs.indices {
                jobs[index].id = TaskID(index: 1, session: SessionID(rawValue: 1))
                jobs[index].job = jobs[index].id
                jobs[index].madeAt = Moment(nanoseconds: 0)
            }
            return jobs
        }
        #expect(play() == play())
    }

    @Test("A request reaches the handlers, and their answer who asked")
    func requests() async throws {
        let bus = TestBus()
        let job = bus.client.beginJob("Copy", options: TaskOptions(isCancellable: true))
        job.onCancel { throw RequestRefusal("The tape cannot stop here.") }
        let answers = try await bus.perform(.cancel, on: .key("Copy"))
        #expect(answers.map(\.outcome) == [.refused])
        #expect(answers.first?.text == "The tape cannot stop here.")
        await #expect(throws: FollowError.self) { try await bus.perform(.cancel, on: .key("Move")) }
    }

    @Test("Cancelling a job cancels the code that runs as it")
    func cancelled() async throws {
        let bus = TestBus()
        let client = bus.client
        let work = Task {
            try await client.withJob("Wait") { job in
                while true { try await job.checkpoint(); await Task.yield() }
            }
        }
        while bus.jobs.isEmpty { await Task.yield() }
        let answers = try await bus.perform(.cancel, on: .slot(1))
        #expect(answers.map(\.outcome) == [.accepted])
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(bus.jobs.first?.state == .cancelled)
    }

    @Test("A ticket is redeemed by another client, below its job")
    func tickets() throws {
        let bus = TestBus()
        let job = bus.client.beginJob("Render")
        let ticket = job.makeTicket("Frames 1 to 10")
        let worker = bus.makeClient()
        let task = worker.redeem(ticket, total: 10)
        task.advance(by: 5)
        let shown = try #require(bus.task(titled: "Frames 1 to 10"))
        #expect(shown.parent == job.id && shown.fraction == 0.5)
        #expect(bus.board.broker?.sessions == 2)
    }

    @Test("Sync and close return once everything is known")
    func closing() async {
        let bus = TestBus()
        let client = bus.makeClient()
        let job = client.beginJob("Copy")
        #expect(await client.sync())
        #expect(client.isConnected)
        job.succeed()
        #expect(await client.close())
        #expect(bus.jobs.first?.state == .succeeded)
    }

    @Test("Several threads advance while somebody looks: nothing is lost")
    func threads() async {
        let bus = TestBus()
        let job = bus.client.beginJob("Count", total: 4_000)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1_000 { job.advance() }
                }
            }
            group.addTask {
                for _ in 0..<20 { _ = bus.jobs }
            }
        }
        #expect(bus.jobs.first?.completed == 4_000)
    }
}
