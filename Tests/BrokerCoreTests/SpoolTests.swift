import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct SpoolTests {
    let worker = Client(1)
    let other = Client(3)
    let viewer = Client(2, viewer: true)

    private func frame(_ client: Client, _ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes = client.credential.bytes
        frame.body = body
        return frame
    }

    private func file(
        _ client: Client,
        _ bodies: [WireClientFrame.OneOf_Body]
    ) throws -> SpoolFile {
        let all = [client.hello] + bodies + [.goodbye(WireGoodbye())]
        return try SpoolFile(decoding: SpoolFile.encode(all.map { frame(client, $0) }))
    }

    private func words(_ client: Client) throws -> SpoolFile {
        let job = client.description(1, "Backup")
        let part = client.description(2, "Part", parent: client.task(1))
        return try file(
            client,
            [
                client.endings(
                    9,
                    [
                        client.ending(job, .failed, reason: "no paper"),
                        client.ending(part, .succeeded, completed: 3, total: 3),
                    ]
                )
            ]
        )
    }

    private func began() -> Bus {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        return bus
    }

    @Test("words of a session the broker never knew: shown as they were said, and it has left")
    func unknownSession() throws {
        var bus = began()
        bus.perform(bus.machine.collect(try words(worker), number: 1, now: bus.now))
        bus.pass()
        #expect(bus.spooled == [1: .taken])
        let job = bus.row(worker.task(1), asking: viewer)
        #expect(job?.progress.state == .failed)
        #expect(job?.progress.reason == "no paper")
        #expect(job?.progress.counts.succeeded == 1)
        #expect(bus.sent.allSatisfy { $0.route == viewer.route }, "nobody else is there")
        bus.control(worker, .heartbeat(WireHeartbeat()))
        guard case .who? = bus.answers(to: worker).last else {
            Issue.record("the session is over")
            return
        }
    }

    @Test("the end of a detached task: carried out once, however it comes")
    func detachedEnd() throws {
        var bus = began()
        var script = Script()
        var end = WireDetachedEnd()
        end.task = WireTaskRef(try bus.begin(&script, "Backup"))
        end.state = .failed
        end.reason = "no paper"
        let request = script.request(.end(end))
        for number in 1...2 as ClosedRange<UInt64> {
            bus.perform(bus.machine.collect(try file(request), number: number, now: bus.now))
            bus.pass()
            #expect(bus.spooled[number] == .taken)
            let row = try bus.shown(Script.task(1), to: viewer).progress
            #expect(row.state == .failed && row.reason == "no paper")
        }
        #expect(bus.send(request).map(\.code) == [0], "it is the same request")
        end.state = .succeeded
        let late = try file(script.request(.end(end)))
        bus.perform(bus.machine.collect(late, number: 3, now: bus.now))
        bus.pass()
        #expect(bus.spooled[3] == .taken, "it can come to nothing")
        #expect(try bus.shown(Script.task(1), to: viewer).progress.state == .failed)
    }

    private func file(_ request: WireDetachedRequest) throws -> SpoolFile {
        var frame = WireClientFrame()
        frame.credentialBytes = request.requestIDBytes
        frame.detached = request
        return try SpoolFile(decoding: SpoolFile.encode([frame]))
    }

    @Test("a file is taken only when the journal has it")
    func journalFirst() throws {
        var bus = began()
        bus.isJournalQuick = false
        bus.perform(bus.machine.collect(try words(worker), number: 7, now: bus.now))
        bus.pass()
        #expect(bus.spooled.isEmpty)
        bus.finishJournal()
        #expect(bus.spooled == [7: .taken])
    }

    @Test("the same file twice, in two lives of a broker: the same tree")
    func twice() throws {
        var bus = began()
        bus.perform(bus.machine.collect(try words(worker), number: 1, now: bus.now))
        bus.pass()
        let once = bus.row(worker.task(1), asking: viewer)
        bus.perform(bus.machine.collect(try words(worker), number: 2, now: bus.now))
        bus.pass()
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.perform(next.machine.collect(try words(worker), number: 1, now: next.now))
        next.pass()
        for row in [
            bus.row(worker.task(1), asking: viewer), next.row(worker.task(1), asking: viewer),
        ] {
            #expect(row?.progress.state == .failed)
            #expect(row?.progress.counts == once?.progress.counts)
            #expect(row?.progress.fraction == once?.progress.fraction)
            #expect(row?.description_p.slot == once?.description_p.slot)
        }
        #expect(bus.rows(of: .board(page: 0), asking: viewer).count == 1)
        #expect(next.rows(of: .board(page: 0), asking: viewer).count == 1)
    }

    @Test("a job that has left: its words do not bring it back")
    func afterLeaving() throws {
        var bus = began()
        let job = worker.description(1, "Backup")
        let ending = worker.endings(9, [worker.ending(job, .succeeded)])
        bus.control(worker, worker.hello)
        bus.control(worker, ending)
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(12, hearing: [viewer])
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
        bus.perform(bus.machine.collect(try file(worker, [ending]), number: 1, now: bus.now))
        bus.pass()
        #expect(bus.spooled == [1: .taken])
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
    }

    @Test("a session that is awaited after a restart: its words replace what was lost with it")
    func awaited() throws {
        var bus = began()
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Backup"),
                worker.description(2, "Part", parent: worker.task(1)),
                worker.description(3, "Open", parent: worker.task(1)),
            ]
        }
        bus.pass()
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.perform(next.machine.collect(try words(worker), number: 1, now: next.now))
        next.pass(12, hearing: [viewer])
        let job = next.row(worker.task(1), asking: viewer)
        #expect(job?.progress.state == .failed)
        #expect(job?.progress.reason == "no paper")
    }

    @Test("words of a session that is lost by now: no longer lost")
    func lost() throws {
        var bus = began()
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Backup")]
        }
        bus.pass(12, hearing: [viewer])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .lost)
        bus.perform(bus.machine.collect(try words(worker), number: 1, now: bus.now))
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .failed)
    }

    @Test("the holder of a ticket: the ticket's task has its ending")
    func redeemer() throws {
        var bus = began()
        bus.control(other, other.hello)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [
                other.description(1, "Pool"),
                other.description(2, "Part", parent: other.task(1), isTicket: true),
            ]
        }
        bus.pass()
        var redeem = WireRedeem()
        redeem.index = 1
        redeem.ticket = WireTaskRef(other.task(2))
        let task = worker.description(1, "Worker", ticket: other.task(2))
        let words = try file(
            worker,
            [.redeem(redeem), worker.endings(3, [worker.ending(task, .succeeded)])]
        )
        bus.perform(bus.machine.collect(words, number: 1, now: bus.now))
        bus.pass()
        #expect(bus.row(other.task(2), asking: viewer)?.progress.state == .succeeded)
    }

    @Test("a task left running beside its ended children: lost, with its children's ends")
    func openTask() throws {
        var bus = began()
        let job = worker.description(1, "Backup")
        let part = worker.description(2, "Part", parent: worker.task(1))
        let words = try file(
            worker,
            [worker.endings(3, [worker.ending(job, .running), worker.ending(part, .succeeded)])]
        )
        bus.perform(bus.machine.collect(words, number: 1, now: bus.now))
        bus.pass()
        let row = bus.row(worker.task(1), asking: viewer)
        #expect(row?.progress.state == .lost)
        #expect(row?.progress.counts.succeeded == 1)
    }

    @Test("a session or credential of somebody else's: damaged, and nothing is changed")
    func thief() throws {
        var bus = began()
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Backup")]
        }
        bus.pass()
        let name = Client(session: worker.session, credential: other.credential)
        let key = Client(session: other.session, credential: worker.credential)
        for (number, thief) in [name, key].enumerated() {
            bus.perform(
                bus.machine.collect(try words(thief), number: UInt64(number), now: bus.now)
            )
            guard case .damaged? = bus.spooled[UInt64(number)] else {
                Issue.record("\(bus.spooled)")
                continue
            }
        }
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
    }

    @Test("as many sessions as may be: the file waits")
    func later() throws {
        var configuration = CoreConfiguration()
        configuration.knownSessions = 2
        var bus = Bus(configuration: configuration)
        bus.control(viewer, viewer.hello)
        bus.perform(bus.machine.collect(try words(worker), number: 1, now: bus.now))
        #expect(bus.spooled == [1: .later])
    }

    // MARK: Judgements

    @Test("what lies in the spool: only young files of one's own are read")
    func judgement() {
        func judge(_ change: (inout SpoolEntry) -> Void) -> SpoolEntry.Judgement {
            var entry = SpoolEntry(name: "a.spool", kind: .file, size: 100)
            change(&entry)
            return entry.judgement
        }
        func isDamaged(_ change: (inout SpoolEntry) -> Void) -> Bool {
            if case .damaged = judge(change) { true } else { false }
        }
        #expect(judge { _ in } == .take)
        #expect(judge { $0.age = SpoolLimits.seconds } == .take)
        #expect(judge { $0.age = SpoolLimits.seconds + 1 } == .expired)
        #expect(judge { $0.age = -100 } == .take)
        #expect(judge { $0.size = Int64(SpoolLimits.fileBytes) } == .take)
        #expect(isDamaged { $0.size = Int64(SpoolLimits.fileBytes) + 1 })
        #expect(isDamaged { $0.isOwn = false })
        #expect(isDamaged { $0.mode = 0o604 })
        #expect(isDamaged { $0.kind = .symbolicLink })
        #expect(isDamaged { $0.kind = .other })
        #expect(judge { $0.kind = .directory } == .leave)
        #expect(judge { $0.name = ".a.tmp" } == .leave)
        #expect(
            judge {
                $0.name = ".a.tmp"
                $0.age = SpoolLimits.seconds + 1
            } == .expired
        )
    }
}
