import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Tickets and the environment")
struct TicketTests {
    private func client(_ variables: [String: String]) -> BusClient {
        var configuration = ClientTests.nowhere
        configuration.environment = variables
        return BusClient(configuration)
    }

    @Test("A ticket survives as text and in an environment")
    func text() throws {
        let bus = BusClient(ClientTests.nowhere)
        let job = bus.beginJob("Back up photos", total: 4)
        let ticket = job.makeTicket("Upload", share: 2, key: "upload")
        #expect(ticket.text.hasPrefix("pbt1-"))
        #expect(ticket.text.utf8.count < 50)
        #expect(ProgressTicket(ticket.text)?.task == ticket.task)
        #expect(ProgressTicket("pbt1-nonsense") == nil)
        let environment = ticket.environment(mergedInto: [
            "PATH": "/bin", "PROGRESSBUS_PARENT": "old",
        ])
        #expect(environment["PATH"] == "/bin")
        #expect(environment["PROGRESSBUS_PARENT"] == nil)
        #expect(environment["PROGRESSBUS_TICKET"] == ticket.text)
        #expect(environment["PROGRESSBUS_ENDPOINT"] == bus.endpoint)
        let words = try #require(
            bus.reporter.peek { $0.tasks[ticket.task.index]?.description(in: bus.session) }
        )
        #expect(words.isTicket)
        #expect(words.share == 2)
        #expect(words.parent == .task(job.id))
    }

    @Test("An inherited ticket is for one task, the next ones are children of it")
    func inherited() throws {
        let issuer = BusClient(ClientTests.nowhere)
        let ticket = issuer.beginJob("Back up photos").makeTicket("Upload")
        let bus = client(ticket.environment(mergedInto: ["PROGRESSBUS_PARENT": "x"]))
        let task = try #require(bus.redeemInherited("Upload", total: 3))
        let words = bus.reporter.peek { $0.tasks[task.id.index]?.description(in: bus.session) }
        #expect(words?.parent == .ticket(ticket.task))
        #expect(bus.redeemInherited("Upload") == nil, "taken, and there is no parent")

        let parent = client(["PROGRESSBUS_PARENT": task.id.description])
        let child = try #require(parent.redeemInherited("Thumbnails"))
        let childWords = parent.reporter.peek {
            $0.tasks[child.id.index]?.description(in: parent.session)
        }
        #expect(childWords?.parent == .task(task.id))
        #expect(parent.redeemInherited() != nil, "any number of children")
    }

    @Test("Nothing inherited, or nothing of use, is nil")
    func nothing() {
        #expect(client([:]).redeemInherited("Upload") == nil)
        #expect(client(["PROGRESSBUS_TICKET": "x"]).redeemInherited() == nil)
        #expect(
            client(["PROGRESSBUS_PARENT": "x", "PROGRESSBUS_TICKET": ""]).redeemInherited() == nil
        )
        #expect(client([:]).redeem("not a ticket") == nil)
    }

    @Test("A ticket goes over control too, and close waits until it is acknowledged")
    func isPromised() {
        var stage = Stage()
        stage.connect()
        let ticket = stage.begin(under: stage.begin()) { $0.isTicket = true }
        stage.run()
        let rows = stage.frames.flatMap(\.endings.endings)
        #expect(rows.map(\.description_p.index) == [ticket])
        #expect(rows.map(\.state) == [.running])
        stage.machine.wait(
            1,
            isClosing: true,
            until: stage.now.later(by: 1_000_000_000),
            at: stage.now
        )
        stage.pass(milliseconds: 200)
        #expect(
            !stage.frames.contains { $0.body == .goodbye(WireGoodbye()) || $0.goodbye.sequence > 0 }
        )
        stage.unsubscribe()
        stage.frames = []
        stage.connect(epoch: 2)
        #expect(stage.frames.flatMap(\.endings.endings).map(\.description_p.index) == [ticket])
        stage.journalEverything(epoch: 2)
        stage.pass(milliseconds: 200)
        #expect(stage.frames.contains { $0.goodbye.sequence > 0 })
    }

    @Test("A job with tickets is kept after it has ended: nobody says whether they were redeemed")
    func keepsTickets() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.begin(under: job) { $0.isTicket = true }
        stage.end(job)
        stage.run()
        stage.journalEverything()
        #expect(stage.machine.tasks.count == 2)
        #expect(stage.machine.endings.isAllAcknowledged)
        stage.unsubscribe()
        stage.reports = []
        stage.subscribe()
        #expect(stage.reports.flatMap(\.descriptions).contains { $0.isTicket })
    }
}
