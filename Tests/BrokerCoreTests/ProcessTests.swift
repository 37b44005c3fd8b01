import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// The end of a process that the kernel tells of.
@Suite struct ProcessTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)
    private static let configuration: CoreConfiguration = {
        var configuration = CoreConfiguration()
        configuration.bootID = "boot"
        configuration.pidNamespace = "pid:[1]"
        return configuration
    }()

    private func hello(
        _ client: Client,
        _ change: (inout WireProcess) -> Void = { _ in }
    ) -> WireClientFrame.OneOf_Body {
        guard case .hello(var hello) = client.hello else { return client.hello }
        hello.process.bootID = "boot"
        hello.process.pidNamespace = "pid:[1]"
        hello.process.startTime = 12
        change(&hello.process)
        return .hello(hello)
    }

    private func begun() -> Bus {
        var bus = Bus(configuration: Self.configuration)
        bus.control(worker, peer: pid(worker), hello(worker))
        bus.control(viewer, peer: pid(viewer), hello(viewer))
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
            $0.add(1, completed: 3, total: 10)
        }
        bus.pass()
        return bus
    }

    private var goodbye: WireClientFrame.OneOf_Body {
        var goodbye = WireGoodbye()
        goodbye.sequence = 1
        return .goodbye(goodbye)
    }

    private func pid(_ client: Client) -> Int32 { Int32(client.session.rawValue) }

    private func end(_ client: Client, _ exit: ProcessExit?, in bus: inout Bus) {
        guard let process = bus.watched[client.session] else {
            Issue.record("its process is not watched")
            return
        }
        bus.perform(bus.machine.processGone(client.session, process, exit: exit, now: bus.now))
    }

    @Test(
        "its process ends with status 0: what it left is cancelled, over a restart, and no trouble"
    )
    func endsWell() {
        var bus = begun()
        end(worker, .status(0), in: &bus)
        bus.pass()
        for isRestarted in [false, true] {
            if isRestarted {
                bus = bus.restarted()
                bus.control(viewer, viewer.hello)
                bus.pass(5, hearing: [viewer])
            }
            let progress = bus.row(worker.task(1), asking: viewer)?.progress
            #expect(progress?.state == .cancelled)
            #expect(progress?.needsAttention == false)
            #expect(progress?.reason.contains("status 0") == true)
        }
    }

    @Test("the end of a process: its tasks are lost at once, with pid, host and signal")
    func lostAtOnce() {
        var bus = begun()
        #expect(bus.watched == [worker.session: WatchedProcess(pid: pid(worker), startTime: 12)])
        end(worker, .signal(9), in: &bus)
        let row = bus.row(worker.task(1), asking: viewer)?.progress
        #expect(row?.state == .lost && row?.completed == 3)
        #expect(row?.reason == "process 101 on host was ended by signal 9")
        #expect(row?.exitSignal == 9 && row?.hasExitStatus == false)
    }

    @Test("a new broker says the same of it")
    func survivesARestart() {
        var bus = begun()
        end(worker, .status(3), in: &bus)
        let before = bus.row(worker.task(1), asking: viewer)?.progress
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass(3, hearing: [viewer])
        let after = next.row(worker.task(1), asking: viewer)?.progress
        #expect(after?.state == .lost && after?.exitStatus == 3)
        #expect(after?.reason == before?.reason)
    }

    @Test("an ending that arrived first: the task has ended, not lost")
    func endedFirst() {
        var bus = begun()
        let job = worker.description(1, "Job")
        bus.control(worker, worker.endings(2, [worker.ending(job, .failed, reason: "disk full")]))
        end(worker, .status(1), in: &bus)
        bus.pass()
        let row = bus.row(worker.task(1), asking: viewer)?.progress
        #expect(row?.state == .failed && row?.reason == "disk full")
        #expect(row?.hasExitStatus == false)
    }

    @Test("a goodbye with everything ended: its process is not watched any more")
    func closedCleanly() {
        var bus = begun()
        let job = worker.description(1, "Job")
        bus.control(worker, worker.endings(2, [worker.ending(job, .succeeded)]))
        bus.control(worker, goodbye)
        bus.pass()
        #expect(bus.watched.isEmpty)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .succeeded)
    }

    @Test("a goodbye that leaves something: the end of the process says what has become of it")
    func closedWithoutAnEnding() {
        for (exit, state) in [
            (ProcessExit.status(4), WireShownState.lost), (.status(0), .cancelled),
        ] {
            var bus = begun()
            bus.control(worker, goodbye)
            bus.pass(2.5)
            #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
            #expect(
                bus.answers(to: worker).contains {
                    if case .goodbyeAccepted = $0 { true } else { false }
                }
            )
            end(worker, exit, in: &bus)
            let row = bus.row(worker.task(1), asking: viewer)?.progress
            #expect(row?.state == state)
            if exit == .status(4) {
                #expect(row?.exitStatus == 4)
                #expect(row?.reason.hasPrefix("closed without an ending; process 101") == true)
            }
            bus.pass(5, hearing: [viewer])
            #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == state)
        }
    }

    @Test("a process that lives on after its goodbye: lost after 3 s, and what comes of it later")
    func closedAndAlive() {
        var bus = begun()
        bus.control(worker, goodbye)
        bus.pass(3.1, hearing: [viewer])
        let row = bus.row(worker.task(1), asking: viewer)?.progress
        #expect(row?.state == .lost && row?.reason == "closed without an ending")
        end(worker, .status(0), in: &bus)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .cancelled)
    }

    @Test("a goodbye that leaves something is on disk when it is accepted: no later broker waits")
    func closedAndRestarted() {
        var bus = begun()
        bus.control(worker, goodbye)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass(0.1)
        let progress = next.row(worker.task(1), asking: viewer)?.progress
        #expect(progress?.state == .lost && progress?.reason == "closed without an ending")
    }

    @Test("a process whose end will not be told after all: lost 3 s after its goodbye")
    func closedAndUnwatched() throws {
        var bus = begun()
        bus.control(worker, goodbye)
        let process = try #require(bus.watched[worker.session])
        bus.machine.processUnwatched(worker.session, process)
        bus.pass(3.1, hearing: [viewer])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .lost)
    }

    @Test("a session that says hello again after its goodbye: its tasks run on")
    func closedAndBack() {
        var bus = begun()
        bus.control(worker, goodbye)
        bus.control(worker, peer: pid(worker), hello(worker))
        bus.pass(3.1, hearing: [viewer, worker])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
    }

    @Test("a late last word revives nothing for good")
    func lateWord() {
        var bus = begun()
        end(worker, nil, in: &bus)
        let job = worker.description(1, "Job")
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(2, "Child", parent: worker.task(1))]
            $0.add(1, completed: 4, total: 10)
        }
        bus.control(worker, .heartbeat(WireHeartbeat()))
        bus.pass(0.2)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .lost)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.completed == 4)
        bus.control(worker, worker.endings(3, [worker.ending(job, .failed, reason: "late")]))
        bus.pass(0.2)
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.reason == "late")
    }

    @Test("a session that lives in another process by now is not concerned")
    func anotherProcess() {
        var bus = begun()
        let former = WatchedProcess(pid: pid(worker), startTime: 12)
        bus.control(worker, peer: pid(worker), hello(worker) { $0.startTime = 13 })
        bus.perform(bus.machine.processGone(worker.session, former, exit: nil, now: bus.now))
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
    }

    @Test("a process that ended while no broker was there: lost when the new one has settled")
    func endedMeanwhile() {
        let bus = begun()
        var next = Bus(
            configuration: Self.configuration,
            journal: JournalEntry.compact(bus.journal)
        )
        next.now = bus.now
        next.control(viewer, viewer.hello)
        end(worker, nil, in: &next)
        #expect(next.row(worker.task(1), asking: viewer)?.progress.state == .running)
        next.pass(3, hearing: [viewer])
        let row = next.row(worker.task(1), asking: viewer)?.progress
        #expect(row?.state == .lost && row?.reason == "process 101 on host is gone")
    }

    @Test("a pid that no broker has verified is not looked up by the next one either")
    func neverVerified() {
        var bus = Bus(configuration: Self.configuration)
        bus.control(worker, hello(worker))
        var next = Bus(
            configuration: Self.configuration,
            journal: JournalEntry.compact(bus.journal)
        )
        next.pass()
        #expect(next.watched.isEmpty)
    }

    @Test("while a new broker settles nothing is lost, afterwards it is")
    func settling() {
        var bus = begun()
        bus.control(Client(3), hello(Client(3)))
        var next = Bus(
            configuration: Self.configuration,
            journal: JournalEntry.compact(bus.journal)
        )
        next.now = bus.now
        next.control(worker, peer: pid(worker), hello(worker))
        next.control(viewer, viewer.hello)
        next.pass()
        end(worker, .signal(15), in: &next)
        #expect(next.row(worker.task(1), asking: viewer)?.progress.state == .running)
        next.pass(3, hearing: [viewer])
        #expect(next.row(worker.task(1), asking: viewer)?.progress.state == .lost)
    }

    @Test(
        "a pid that may mean something else: heartbeats decide",
        arguments: ["no peer", "another pid", "boot", "namespace", "start"]
    )
    func notTrusted(_ fault: String) {
        var bus = Bus(configuration: Self.configuration)
        let hello = hello(worker) {
            if fault == "boot" { $0.bootID = "other" }
            if fault == "namespace" { $0.pidNamespace = "pid:[2]" }
            if fault == "start" { $0.startTime = 0 }
        }
        let peer: Int32? = fault == "no peer" ? nil : fault == "another pid" ? 1 : pid(worker)
        bus.control(worker, peer: peer, hello)
        #expect(bus.watched.isEmpty)
        bus = Bus()
        bus.control(worker, peer: pid(worker), self.hello(worker))
        #expect(bus.watched.isEmpty, "a broker that does not know its own machine trusts nobody")
    }
}
