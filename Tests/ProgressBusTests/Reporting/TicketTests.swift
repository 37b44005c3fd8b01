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

    @Test func aTicketIsReadBackFromItsText() throws {
        let task = TaskID(index: 100, session: SessionID(rawValue: 0x0123_4567_89ab_cdef))
        let ticket = ProgressTicket(task: task)
        #expect(ticket.text == "pbt1-2s-028q5cu4qnjff")
        #expect(ProgressTicket(ticket.text)?.task == task)
    }

    @Test(arguments: [
        "", "pbt1-", "2s-028q5cu4qnjff", "pbt2-2s-028q5cu4qnjff", "pbt1-0-028q5cu4qnjff",
        "PBT1-2s-028q5cu4qnjff", "pbt1-2S-028q5cu4qnjff", "pbt1-02s-028q5cu4qnjff",
        "pbt1-2s-028Q5CU4QNJFF", "pbt1-2s-028q5cu4qnjff ",
    ])
    func otherTextIsNoTicket(text: String) {
        #expect(ProgressTicket(text) == nil)
    }

    @Test("An inherited ticket is for one task, the next ones are children of it")
    func inherited() throws {
        let issuer = BusClient(ClientTests.nowhere)
        let ticket = issuer.beginJob("Back up photos").makeTicket("Upload")
        let bus = client(ticket.environment(mergedInto: ["PROGRESSBUS_PARENT": "x"]))
        let task = try #require(bus.redeemInherited("Upload", total: 3))
        let words = bus.reporter.peek { $0.tasks[task.id.index]?.description(in: bus.session) }
        #expect(words?.parent == .ticket(ticket.task))
        func parent(of task: ProgressTask) -> ParentLink? {
            bus.reporter.peek { $0.tasks[task.id.index]?.description(in: bus.session).parent }
        }
        let second = try #require(bus.redeemInherited("Upload"))
        #expect(parent(of: second) == .task(task.id), "taken")
        #expect(parent(of: bus.beginJob("Clean up")) == .task(task.id))
        #expect(parent(of: bus.beginJob("Clean up", inherit: false)) == ParentLink.none)

        let parent = client(["PROGRESSBUS_PARENT": task.id.description])
        let child = try #require(parent.redeemInherited("Thumbnails"))
        let childWords = parent.reporter.peek {
            $0.tasks[child.id.index]?.description(in: parent.session)
        }
        #expect(childWords?.parent == .task(task.id))
        #expect(parent.redeemInherited() != nil, "any number of children")
    }

    @Test("The first job redeems the ticket of the environment, but not on another endpoint")
    func firstJob() {
        let issuer = BusClient(ClientTests.nowhere)
        let ticket = issuer.beginJob("Back up photos").makeTicket("Upload")
        let environment = ticket.environment(mergedInto: [:])
        var configuration = BusConfiguration(endpoint: "ipc:///elsewhere")
        configuration.environment = environment
        let elsewhere = BusClient(configuration)
        let other = elsewhere.beginJob("Upload")
        let here = client(environment)
        let job = here.beginJob("Upload")
        func parent(of task: ProgressTask, _ bus: BusClient) -> ParentLink? {
            bus.reporter.peek { $0.tasks[task.id.index]?.description(in: bus.session).parent }
        }
        #expect(parent(of: other, elsewhere) == ParentLink.none)
        #expect(parent(of: job, here) == .ticket(ticket.task))
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
        stage.connect()
        #expect(stage.reports.flatMap(\.descriptions).contains { $0.isTicket })
    }

    /// A stage with a task that redeems a ticket, and what a broker says about it.
    private func redeeming() -> (stage: Stage, task: UInt64) {
        var stage = Stage()
        stage.connect()
        let ticket = TaskID(index: 3, session: SessionID(rawValue: 9))
        let task = stage.begin("Upload") {
            $0.parent = .ticket(ticket)
            $0.options.isCancellable = true
        }
        stage.run()
        return (stage, task)
    }

    private func bind(
        _ stage: inout Stage,
        _ task: UInt64,
        _ binding: Binding,
        epoch: UInt64 = 1
    ) {
        stage.answer(epoch: epoch) {
            $0.binding = WireBinding(
                index: task,
                binding,
                task: TaskID(index: 3, session: SessionID(rawValue: 9))
            )
        }
    }

    private func refuse(_ stage: inout Stage, _ task: UInt64, _ code: RefusalCode, _ text: String) {
        stage.answer {
            $0.refusal.code = code.rawValue
            $0.refusal.index = task
            $0.refusal.sentence = text
        }
    }

    @Test("The newest binding counts: a holder may be told later that it is a child")
    func newestBinding() {
        var (stage, task) = redeeming()
        let ticket = TaskID(index: 3, session: SessionID(rawValue: 9))
        stage.answer {
            $0.binding.index = task
            $0.binding.kind = .UNRECOGNIZED(9)
        }
        #expect(stage.machine.unanswered[task] != nil, "no answer")
        bind(&stage, task, .holder(of: ticket, attempt: 1))
        bind(&stage, task, .child(of: ticket))
        #expect(stage.machine.redemptions[task]?.known?.kind == .child)
        refuse(&stage, task, .notPermitted, "This is no ticket.")
        refuse(&stage, task, .notPermitted, "This is no ticket.")
        #expect(stage.warnings.count == 1)
        #expect(stage.warnings.first?.contains("This is no ticket.") == true)
        #expect(stage.deliveries.isEmpty, "it goes on as a child")
        stage.advance(task, by: 2)
        stage.pass(milliseconds: 100)
        #expect(stage.reported(task) == 2)
    }

    @Test("Behind a welcome a redemption goes before the ending of its task")
    func redemptionBeforeEnding() throws {
        var (stage, task) = redeeming()
        let ticket = TaskID(index: 3, session: SessionID(rawValue: 9))
        bind(&stage, task, .holder(of: ticket, attempt: 3))
        stage.end(task)
        stage.pass(milliseconds: 100)
        stage.unsubscribe()
        stage.frames = []
        stage.connect(epoch: 2)
        stage.pass(milliseconds: 100)
        let redemption = try #require(stage.frames.firstIndex { $0.redeem.known.attempt == 3 })
        let ending = try #require(stage.frames.firstIndex { !$0.endings.endings.isEmpty })
        #expect(redemption < ending)
    }

    @Test("A holder whose broker's journal was lost takes the answer that it is a child")
    func knownHolder() {
        var (stage, task) = redeeming()
        let ticket = TaskID(index: 3, session: SessionID(rawValue: 9))
        bind(&stage, task, .holder(of: ticket, attempt: 1))
        stage.unsubscribe()
        stage.frames = []
        stage.connect(epoch: 2)
        #expect(stage.frames.map(\.redeem.known.kind).contains(.holder))
        bind(&stage, task, .child(of: ticket), epoch: 2)
        stage.end(task)
        stage.pass(milliseconds: 100)
        stage.journalEverything(epoch: 2)
        #expect(stage.machine.tasks.isEmpty, "it ends and is forgotten like any other")
        #expect(stage.warnings.isEmpty)
    }

    @Test("A superseded attempt is asked to cancel, without an answer, and says so once")
    func superseded() {
        var (stage, task) = redeeming()
        let ticket = TaskID(index: 3, session: SessionID(rawValue: 9))
        let child = stage.begin(under: task)
        let other = stage.begin { $0.options.isCancellable = true }
        bind(&stage, task, .holder(of: ticket, attempt: 1))
        for index in [task, task, other, 99] {
            refuse(&stage, index, .superseded, "Attempt 2 has begun.")
        }
        #expect(stage.deliveries.count == 1)
        for delivery in stage.deliveries {
            _ = stage.machine.answered(delivery, [:], at: stage.now)
        }
        stage.run()
        #expect(stage.isAsked(.cancel, task) && stage.isAsked(.cancel, child))
        #expect(!stage.isAsked(.cancel, other))
        #expect(stage.answers.isEmpty)
        #expect(stage.warnings.count { $0.contains("\"Upload\"") } == 1)
    }
}
