import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct SessionTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    @Test func anUnknownSessionIsAskedWhoItIs() {
        var bus = Bus()
        bus.control(worker, .heartbeat(WireHeartbeat()))
        guard case .who? = bus.answers(to: worker).last else {
            Issue.record("expected who, got \(bus.answers(to: worker))")
            return
        }
    }

    @Test func helloIsWelcomedOnlyOnceItIsOnDisk() {
        var bus = Bus()
        bus.isJournalQuick = false
        bus.control(worker, worker.hello)
        #expect(bus.answers(to: worker).isEmpty)
        bus.finishJournal()
        guard case .welcome(let welcome)? = bus.answers(to: worker).last else {
            Issue.record("expected a welcome")
            return
        }
        #expect(welcome.heartbeat == 1_000)
    }

    @Test func aSecondClientWithTheSameSessionIdIsRefused() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        let thief = Client(9)
        var hello = WireHello()
        hello.session = worker.session.rawValue
        bus.control(thief, .hello(hello))
        guard case .refusal(let refusal)? = bus.answers(to: thief).last else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.code == RefusalCode.sessionTaken.rawValue)
        #expect(refusal.sentence.contains("choose a new"))
    }

    @Test func aViewerThatSpeaksOfTasksIsRefusedInWords() {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        let job = viewer.description(1, "Mine")
        bus.control(viewer, viewer.endings(1, [viewer.ending(job, .failed, reason: "no")]))
        bus.pass()
        guard case .refusal(let refusal)? = bus.answers(to: viewer).last else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.code == RefusalCode.notPermitted.rawValue)
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
    }

    @Test func reportsBeforeTheHelloAreDroppedAndItsKeyframeSaysEverything() {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        func report(_ keyframe: UInt32) {
            bus.report(worker) {
                $0.sequence = 1 + UInt64(keyframe)
                $0.keyframe = keyframe
                $0.keyframeLast = keyframe > 0
                $0.descriptions = [worker.description(1, "Encode")]
                $0.add(1, completed: 3, total: 10)
            }
            bus.pass()
        }
        report(0)
        bus.control(worker, worker.hello)
        bus.pass()
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
        report(1)
        let rows = bus.rows(of: .board(page: 0), asking: viewer)
        #expect(rows.map(\.progress.fraction) == [0.3])
        #expect(rows.map(\.description_p.slot) == [1])
    }

    @Test func silenceIsShownAfterThreeHeartbeatsAndLossAfterTen() {
        var bus = Bus.halfway(worker, seenBy: viewer)
        bus.pass(4, hearing: [viewer])
        let silent = bus.row(worker.task(1), asking: viewer)
        #expect(silent?.progress.silent == true)
        #expect(silent?.progress.state == .running)
        bus.pass(7, hearing: [viewer])
        let lost = bus.row(worker.task(1), asking: viewer)
        #expect(lost?.progress.state == .lost)
        #expect(lost?.progress.needsAttention == true)
        #expect(lost?.progress.fraction == 0.5, "a loss adds nothing and takes nothing away")
        #expect(lost?.progress.reason.contains("101") == true, "the reason names the pid")

        bus.control(worker, .heartbeat(WireHeartbeat()))
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
    }

    @Test("a worker that stood still for a while: silent or lost, and back, but never stalled")
    func silenceIsNoStall() {
        for seconds in [6.0, 12] {
            var bus = Bus()
            bus.control(worker, worker.hello)
            bus.control(viewer, viewer.hello)
            bus.subscribe(.board(page: 0))
            var stalls = 0
            func advance(_ completed: Int64) {
                bus.report(worker) {
                    $0.sequence = UInt64(completed)
                    if completed == 1 { $0.descriptions = [worker.description(1, "Encode")] }
                    $0.add(1, completed: completed, total: 1_000)
                }
            }
            func look() {
                bus.pass(0.05)
                if bus.row(worker.task(1), asking: viewer)?.progress.stalled == true { stalls += 1 }
            }
            for completed in 1...40 {
                advance(Int64(completed))
                look()
            }
            for _ in 0..<Int(seconds / 0.05) {
                bus.control(viewer, .heartbeat(WireHeartbeat()))
                look()
            }
            bus.control(worker, .heartbeat(WireHeartbeat()))
            look()
            #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
            for completed in 41...60 {
                advance(Int64(completed))
                look()
            }
            #expect(stalls == 0, "after \(seconds) s")
        }
    }

    @Test func aLostSessionThatSaysHelloAgainHasItsTasksBack() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Encode")]
        }
        bus.pass(12, hearing: [viewer])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .lost)
        var again = worker
        again.route = Route(bytes: [0, 77])
        bus.control(again, again.hello)
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
        let welcomes = bus.answers(to: again).count {
            if case .welcome = $0 { true } else { false }
        }
        #expect(welcomes == 1, "behind which it says everything")
    }

    @Test func aLostSessionThatReportsAgainIsAskedForEverything() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Encode")]
        }
        bus.pass(12, hearing: [viewer])
        let former = bus.answers(to: worker).count { $0 == .who(WireWho()) }
        for sequence in 2...9 as ClosedRange<UInt64> {
            bus.report(worker) {
                $0.sequence = sequence
                $0.add(1, completed: 1, total: 2)
            }
        }
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
        #expect(bus.answers(to: worker).count { $0 == .who(WireWho()) } == former + 1)
    }

    @Test func aBrokerThatWasItselfStoppedTakesNobodyForLost() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Encode")]
        }
        bus.pass()
        bus.now = bus.now.advanced(bySeconds: 60)
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
    }

    @Test func goodbyeWithUnfinishedTasksLosesThemAtOnceAfterTheLastReport() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        var goodbye = WireGoodbye()
        goodbye.sequence = 2
        bus.control(worker, .goodbye(goodbye))
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(1, "Encode")]
            $0.add(1, completed: 5, total: 10)
        }
        bus.pass()
        let row = bus.row(worker.task(1), asking: viewer)
        #expect(row?.progress.state == .lost)
        #expect(row?.progress.reason == "closed without an ending")
        #expect(row?.progress.completed == 5)
        #expect(
            bus.answers(to: worker).contains {
                if case .goodbyeAccepted = $0 { true } else { false }
            }
        )
    }

    @Test func aBrokerWithoutSessionsAndSubscriptionsIsIdle() {
        var bus = Bus()
        #expect(bus.machine.isIdle)
        bus.control(viewer, viewer.hello)
        #expect(!bus.machine.isIdle)
        bus.control(viewer, .goodbye(WireGoodbye()))
        #expect(bus.machine.isIdle)
        bus.subscribe(.totals)
        #expect(!bus.machine.isIdle)
    }
}
