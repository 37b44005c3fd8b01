import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct EndingTests {
    let worker = Client(1)
    let other = Client(3)
    let viewer = Client(2, viewer: true)

    private func begun() -> Bus {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(other, other.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Backup"),
                worker.description(2, "Scan", parent: worker.task(1), share: 1),
                worker.description(3, "Upload", parent: worker.task(1), isTicket: true, share: 3),
            ]
            $0.add(1, completed: 0, total: 4)
            $0.add(2, completed: 0, total: 10)
        }
        bus.pass()
        return bus
    }

    @Test func aTaskThatSaysItIsOlderThanTheCenturyIsShownAllTheSame() throws {
        var bus = begun()
        bus.report(worker) {
            $0.sequence = 2
            $0.clockIndex = [1]
            $0.elapsed = [ProtocolLimits.maxMilliseconds]
            $0.active = [ProtocolLimits.maxMilliseconds]
            $0.sinceAdvance = [ProtocolLimits.maxMilliseconds]
        }
        bus.pass()
        // Before 1970 a follower would refuse the whole update, and see nobody's rows any more.
        let shown = bus.row(worker.task(1), asking: viewer)
        let row = try #require(shown)
        #expect(row.progress.begun >= 0 && row.progress.advanced >= 0)
        for (_, update) in bus.published {
            #expect(throws: Never.self) { try Frame.decodeUpdate(Frame.encode(update)) }
        }
    }

    @Test func aFailureRightAfterAStepIsPublishedBeforeTheNextTick() throws {
        var bus = begun()
        #expect(bus.machine.nextEarlyStep == nil)
        // The last step was a moment ago.
        bus.pass(0.05)
        bus.control(
            worker,
            worker.endings(
                2,
                [
                    worker.ending(
                        worker.description(2, "Scan", parent: worker.task(1), share: 1),
                        .failed,
                        reason: "the disk is full"
                    )
                ]
            )
        )
        let early = try #require(bus.machine.nextEarlyStep)
        let wait = early.seconds(since: bus.now)
        #expect(wait > 0 && wait < 0.005)
        bus.now = early
        bus.perform(bus.machine.tick(now: early, unixTime: 1_000_000))
        #expect(bus.machine.nextEarlyStep == nil)
    }

    @Test func anEndingIsAcknowledgedOnlyOnceItIsOnDisk() {
        var bus = begun()
        bus.isJournalQuick = false
        let scan = worker.description(2, "Scan", parent: worker.task(1), share: 1)
        let before = bus.answers(to: worker).count
        bus.control(
            worker,
            worker.endings(2, [worker.ending(scan, .succeeded, completed: 10, total: 10)])
        )
        #expect(bus.answers(to: worker).count == before)
        bus.finishJournal()
        guard case .endingsJournalled(let answer)? = bus.answers(to: worker).last else {
            Issue.record("expected the acknowledgement")
            return
        }
        #expect(answer.sequence == 2)
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.fraction == 0.25)
    }

    @Test func aRunningRowOlderThanTheEndingChangesNothing() {
        var bus = begun()
        let scan = worker.description(2, "Scan", parent: worker.task(1), share: 1)
        bus.control(
            worker,
            worker.endings(5, [worker.ending(scan, .succeeded, completed: 10, total: 10)])
        )
        bus.report(worker) {
            $0.sequence = 4
            $0.add(2, completed: 7, total: 10)
        }
        bus.pass()
        let row = bus.row(worker.task(2), asking: viewer)
        #expect(row?.progress.state == .succeeded)
        #expect(row?.progress.completed == 10)
    }

    @Test func aTicketGoesToTheFirstRedeemerAndTheOthersBecomeItsChildren() {
        var bus = begun()
        let third = Client(4)
        bus.control(third, third.hello)
        bus.control(other, .redemption(of: worker.task(3)))
        bus.control(third, .redemption(of: worker.task(3)))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "", ticket: worker.task(3))]
            $0.add(1, completed: 1, total: 2)
        }
        bus.report(third) {
            $0.sequence = 1
            $0.descriptions = [third.description(1, "Part", ticket: worker.task(3))]
        }
        bus.pass()
        let row = bus.row(worker.task(3), asking: viewer)
        #expect(row?.progress.state == .running)
        #expect(row?.description_p.title == "Upload")
        #expect(row?.description_p.attempt == 1)
        #expect(row?.description_p.process.pid == Int64(other.session.rawValue))
        let child = bus.row(third.task(1), asking: viewer)
        #expect(child?.description_p.parent == WireTaskRef(worker.task(3)))
        guard
            case .binding(let binding)? = bus.answers(to: third).last(where: {
                if case .binding = $0 { true } else { false }
            })
        else {
            Issue.record("expected a binding")
            return
        }
        #expect(binding.kind == .child)
    }

    @Test func aRedeemerWhoseBindingIsQuickerThanItsDescriptionIsShownOnceDescribed() {
        var bus = begun()
        let third = Client(4)
        bus.control(third, third.hello)
        bus.control(other, .redemption(of: worker.task(3)))
        bus.control(third, .redemption(of: worker.task(3)))
        bus.pass()
        for client in [other, third] {
            bus.report(client) {
                $0.sequence = 1
                $0.descriptions = [client.description(1, "", ticket: worker.task(3))]
            }
        }
        bus.pass()
        let child = bus.row(third.task(1), asking: viewer)
        #expect(child?.description_p.parent == WireTaskRef(worker.task(3)))
        #expect(child?.description_p.place == 1)
        #expect(child?.description_p.title == "Upload", "without a title of its own: the ticket's")
    }

    @Test func aTicketWhoseHolderFailedIsContinuedAsASecondAttemptInTheSamePlace() {
        var bus = begun()
        bus.control(other, .redemption(of: worker.task(3)))
        let upload = other.description(1, "", ticket: worker.task(3))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [upload]
            $0.add(1, completed: 1, total: 2)
        }
        bus.pass()
        let place = bus.row(worker.task(3), asking: viewer)?.description_p.place
        bus.control(
            other,
            other.endings(
                2,
                [other.ending(upload, .failed, completed: 1, total: 2, reason: "disk full")]
            )
        )
        bus.pass()
        #expect(bus.row(worker.task(3), asking: viewer)?.progress.reason == "disk full")
        bus.subscribe(.log(worker.task(1)))
        let third = Client(4)
        bus.control(third, third.hello)
        bus.control(third, .redemption(of: worker.task(3)))
        bus.report(third) {
            $0.sequence = 1
            $0.descriptions = [third.description(1, "", ticket: worker.task(3))]
            $0.add(1, completed: 0, total: 2)
        }
        bus.pass()
        let row = bus.row(worker.task(3), asking: viewer)
        #expect(row?.progress.state == .running)
        #expect(row?.description_p.attempt == 2)
        #expect(row?.description_p.place == place)
        #expect(row?.progress.completed == 0)
        let lines = bus.published.flatMap(\.update.logs)
        #expect(lines.map(\.text) == ["attempt 1 failed: disk full"])
        #expect(lines.map(\.task) == [WireTaskRef(worker.task(3))])
    }

    @Test func aTicketWhoseTaskSucceededIsRefusedInWords() {
        var bus = begun()
        bus.control(other, .redemption(of: worker.task(3)))
        let upload = other.description(1, "", ticket: worker.task(3))
        bus.control(other, other.endings(2, [other.ending(upload, .succeeded)]))
        bus.pass()
        let third = Client(4)
        bus.control(third, third.hello)
        bus.control(third, .redemption(of: worker.task(3)))
        let refusals = bus.answers(to: third).compactMap {
            if case .refusal(let refusal) = $0 { refusal } else { nil }
        }
        #expect(refusals.map(\.code) == [RefusalCode.ticketUsed.rawValue])
        bus.pass()
        #expect(bus.row(third.task(1), asking: viewer) == nil)
    }

    @Test func aTicketNobodyRedeemedIsCancelledAMinuteAfterItsParentEnded() {
        var bus = begun()
        let scan = worker.description(2, "Scan", parent: worker.task(1), share: 1)
        let backup = worker.description(1, "Backup")
        bus.control(
            worker,
            worker.endings(
                2,
                [
                    worker.ending(scan, .succeeded, completed: 10, total: 10),
                    worker.ending(backup, .succeeded, completed: 0, total: 4),
                ]
            )
        )
        bus.pass(5, hearing: [viewer, worker])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .running)
        #expect(
            bus.row(worker.task(1), asking: viewer)?.progress.note.contains("waiting for") == true
        )
        bus.pass(57, hearing: [viewer, worker])
        let ticket = bus.row(worker.task(3), asking: viewer)
        #expect(ticket?.progress.state == .cancelled)
        #expect(ticket?.progress.reason == "never begun")
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .succeeded)
    }

    @Test("a second ending that says something else is acknowledged, and changes nothing")
    func secondEnding() {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        let job = worker.description(1, "nightly")
        bus.control(worker, worker.endings(1, [worker.ending(job, .failed)]))
        bus.control(worker, worker.endings(2, [worker.ending(job, .succeeded)]))
        bus.report(worker) {
            var change = WireStateChange()
            change.index = 1
            change.state = .running
            $0.sequence = 3
            $0.states = [change]
        }
        bus.pass(1, hearing: [viewer, worker])
        let acknowledged = bus.answers(to: worker).compactMap { answer -> UInt64? in
            if case .endingsJournalled(let journalled) = answer { journalled.sequence } else { nil }
        }
        #expect(acknowledged == [1, 2])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .failed)
        bus = bus.restarted()
        bus.control(viewer, viewer.hello)
        bus.pass(3, hearing: [viewer])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .failed)
    }

    @Test func aSucceededJobLingersThenLeavesAndItsSlotIsRememberedForItsKey() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        let job = worker.description(1, "nightly")
        bus.control(worker, worker.endings(1, [worker.ending(job, .succeeded)]))
        bus.pass(8, hearing: [viewer, worker])
        #expect(bus.rows(of: .board(page: 0), asking: viewer).count == 1)
        bus.pass(4, hearing: [viewer, worker])
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(2, "other")]
        }
        bus.pass()
        bus.report(worker) {
            $0.sequence = 3
            $0.descriptions = [worker.description(3, "nightly")]
        }
        bus.pass()
        let slots = bus.rows(of: .board(page: 0), asking: viewer).map(\.description_p.slot)
        #expect(slots.sorted() == [1, 2])
        #expect(bus.row(worker.task(3), asking: viewer)?.description_p.slot == 1)
    }

    private func dismissFirst(in bus: inout Bus) {
        var command = WireCommandRequest()
        command.request = 5
        command.verb = .dismiss
        command.target = WireTaskRef(worker.task(1))
        bus.control(viewer, .command(command))
        bus.pass()
    }

    @Test("a lost job with a ticket that nobody redeemed leaves when it is dismissed")
    func dismissedWithTickets() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        bus.report(worker) {
            $0.sequence = 1
            var ticket = worker.description(2, "Part", parent: worker.task(1))
            ticket.isTicket = true
            $0.descriptions = [worker.description(1, "nightly"), ticket]
        }
        bus.pass(20, hearing: [viewer])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .lost)
        dismissFirst(in: &bus)
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
    }

    @Test func aFailedJobStaysUntilSomebodyDismissesIt() {
        var bus = Bus()
        bus.control(worker, worker.hello)
        bus.control(viewer, viewer.hello)
        let job = worker.description(1, "nightly")
        bus.control(worker, worker.endings(1, [worker.ending(job, .failed, reason: "disk full")]))
        bus.pass(60, hearing: [viewer, worker])
        #expect(bus.rows(of: .board(page: 0), asking: viewer).count == 1)
        dismissFirst(in: &bus)
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
        // Its owner has not yet forgotten it and says the ending once more.
        bus.control(worker, worker.endings(2, [worker.ending(job, .failed, reason: "disk full")]))
        bus.pass()
        #expect(bus.rows(of: .board(page: 0), asking: viewer).isEmpty)
    }
}
