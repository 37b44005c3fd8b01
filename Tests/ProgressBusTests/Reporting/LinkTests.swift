import BusProtocol
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

@Suite("The conversation with the broker")
struct LinkTests {
    @Test("Hello is said when the subscription arrives, and again when nobody answers")
    func hello() throws {
        var stage = Stage()
        stage.subscribe()
        #expect(stage.hellos == 1)
        #expect(stage.frames.first?.hello.session == Stage.session.rawValue)
        stage.pass(milliseconds: 499)
        #expect(stage.hellos == 1)
        stage.pass(milliseconds: 2)
        #expect(stage.hellos == 2)
        stage.welcome()
        stage.pass(milliseconds: 5_000)
        #expect(stage.hellos == 2)
        try stage.checkFrames()
    }

    @Test("While the control connection is not there, hello is tried at growing intervals")
    func helloPause() {
        var stage = Stage()
        stage.takesControl = false
        stage.subscribe()
        stage.pass(milliseconds: 2_000)
        stage.takesControl = true
        stage.pass(milliseconds: 201)
        #expect(stage.hellos == 1)
    }

    @Test("Without a subscription hello is given up after a while, and nothing wakes the thread")
    func givesUp() {
        var stage = Stage()
        stage.takesControl = false
        stage.machine.connected(at: stage.now)
        stage.pass(milliseconds: 1_000)
        let due = stage.run()
        #expect(due == nil)
    }

    @Test("A broker that lacks the session hears hello and everything unacknowledged again")
    func who() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.end(job)
        stage.run()
        stage.frames = []
        stage.pass(milliseconds: 100)
        stage.frames = []
        stage.answer { $0.who = WireWho() }
        #expect(stage.hellos == 1)
        stage.welcome()
        #expect(stage.endings.count == 1)
    }

    @Test("A heartbeat goes out every 0.9 s in which nothing else was said over control")
    func heartbeats() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.pass(milliseconds: 1_000)
        (stage.frames, stage.reports) = ([], [])
        stage.pass(milliseconds: 18_000)
        #expect(stage.heartbeats.count == 20)
        #expect(stage.reports.isEmpty, "and nothing else is said")
        let last = stage.machine.reports.lastSent
        #expect(stage.heartbeats.allSatisfy { $0.sequence == last })
        stage.frames = []
        for _ in 0..<90 {
            stage.advance(job)
            stage.pass(milliseconds: 100)
        }
        #expect(
            stage.heartbeats.count == 10,
            "reports do not count: nobody is asked who he is there"
        )
    }

    @Test("Who is not subscribed sends heartbeats too")
    func heartbeatWithoutSubscription() {
        var stage = Stage()
        stage.connect()
        stage.begin()
        stage.pass(milliseconds: 500)
        stage.unsubscribe()
        stage.machine.connected(at: stage.now)
        stage.run()
        stage.welcome()
        (stage.frames, stage.reports) = ([], [])
        stage.pass(milliseconds: 4_600)
        #expect(stage.heartbeats.count == 5)
        #expect(stage.reports.isEmpty)
    }

    @Test("A redemption is repeated until the broker has decided, and told to the next broker")
    func redeem() throws {
        var stage = Stage()
        let ticket = TaskID(index: 4, session: SessionID(rawValue: 99))
        let task = stage.begin("upload") { $0.parent = .ticket(ticket) }
        stage.connect()
        #expect(stage.redeems.map(\.index) == [task])
        stage.pass(milliseconds: 1_100)
        #expect(stage.redeems.count == 3)
        stage.answer {
            $0.binding.index = task
            $0.binding.kind = .holder
            $0.binding.task = WireTaskRef(ticket)
            $0.binding.attempt = 2
        }
        stage.pass(milliseconds: 2_000)
        #expect(stage.redeems.count == 3)
        stage.unsubscribe()
        stage.connect(epoch: 2)
        #expect(stage.redeems.last?.known.attempt == 2)
        #expect(stage.reports.last?.descriptions.last?.ticket.index == 4)
        try stage.checkFrames()
    }

    @Test("A redeemer that ends before the broker has decided is kept until then")
    func redeemThenEnd() {
        var stage = Stage()
        stage.connect()
        let ticket = TaskID(index: 4, session: SessionID(rawValue: 99))
        let task = stage.begin { $0.parent = .ticket(ticket) }
        stage.end(task)
        stage.pass(milliseconds: 50)
        stage.journalEverything()
        #expect(stage.machine.tasks[task] != nil)
        stage.answer {
            $0.binding.index = task
            $0.binding.kind = .child
        }
        #expect(stage.machine.tasks.isEmpty)
    }

    @Test("A ticket that was used up is warned about once and its task goes quiet")
    func ticketUsed() throws {
        var stage = Stage()
        stage.connect()
        let ticket = TaskID(index: 4, session: SessionID(rawValue: 99))
        let task = stage.begin("Upload") { $0.parent = .ticket(ticket) }
        let cell = try #require(stage.machine.tasks[task])
        for _ in 0..<3 {
            stage.answer {
                $0.binding.index = task
                $0.binding.kind = .inert
            }
        }
        #expect(stage.warnings.count == 1)
        #expect(stage.warnings.first?.contains("ticket for \"Upload\" cannot be used") == true)
        #expect(stage.machine.tasks.isEmpty)
        #expect(cell.isSetEnded)
    }

    @Test("The broker's words say why a ticket cannot be used")
    func ticketUsedInWords() {
        var stage = Stage()
        stage.connect()
        let ticket = TaskID(index: 4, session: SessionID(rawValue: 99))
        let task = stage.begin("Upload") { $0.parent = .ticket(ticket) }
        stage.answer {
            $0.refusal.code = RefusalCode.ticketUsed.rawValue
            $0.refusal.index = task
            $0.refusal.sentence = "It was begun too often."
        }
        let words = "The ticket for \"Upload\" cannot be used: It was begun too often."
        #expect(stage.warnings == [words])
    }

    @Test(
        "A broker that takes the session for another's: said once, and left alone until another one",
        arguments: [RefusalCode.sessionTaken, .badCredential]
    )
    func notOurSession(code: RefusalCode) {
        var stage = Stage()
        stage.subscribe()
        for _ in 0..<3 {
            stage.answer {
                $0.refusal.code = code.rawValue
                $0.refusal.sentence = "another client owns it"
            }
        }
        stage.answer { $0.who = WireWho() }
        #expect(stage.run() == nil, "nothing wakes the thread")
        stage.pass(milliseconds: 10_000)
        #expect(stage.hellos == 1)
        #expect(stage.warnings.count == 1)
        #expect(stage.warnings.first?.contains("reports nothing more to this broker") == true)
        stage.unsubscribe()
        stage.subscribe()
        #expect(stage.hellos == 2)
    }

    @Test("A broker without room is asked again after some seconds, one that stops not at all")
    func noRoom() {
        for (code, hellos) in [(RefusalCode.busy, 4), (.stopping, 1)] {
            var stage = Stage()
            stage.subscribe()
            for _ in 0..<10 {
                stage.answer { $0.refusal.code = code.rawValue }
                stage.pass(milliseconds: 1_000)
            }
            #expect(stage.hellos == hellos, "\(code.name)")
            #expect(stage.warnings.count == 1)
        }
    }

    @Test("Refusals are warned about once per code, however many come")
    func refusals() {
        var stage = Stage()
        stage.connect()
        for code in [RefusalCode.quotaTasks, .quotaText, .quotaTasks] {
            for _ in 0..<50 {
                stage.answer {
                    $0.refusal.code = code.rawValue
                    $0.refusal.sentence = "too much"
                }
            }
        }
        #expect(stage.warnings.count == 2)
        #expect(stage.warnings.first?.contains("quota-tasks") == true)
    }

    @Test("A broker of another major version is left alone until another one subscribes")
    func otherMajor() {
        var stage = Stage()
        stage.subscribe()
        stage.machine.met(
            ProtocolViolation(.wrongMajor, "the broker speaks version 2", major: 2)
        )
        stage.pass(milliseconds: 10_000)
        #expect(stage.hellos == 1)
        #expect(stage.warnings.count == 1)
        stage.unsubscribe()
        stage.subscribe()
        #expect(stage.hellos == 2)
    }
}

extension Stage {
    var redeems: [WireRedeem] {
        frames.compactMap { if case .redeem(let redeem)? = $0.body { redeem } else { nil } }
    }
}
