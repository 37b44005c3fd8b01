import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct RestartTests {
    let parent = Client(1)
    let child = Client(3)
    let viewer = Client(2, viewer: true)

    /// A job with three children of another session: one ended, one running, one failed.
    private func running() -> Bus {
        var bus = Bus()
        for client in [parent, child, viewer] { bus.control(client, client.hello) }
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [parent.description(1, "Backup")]
            $0.add(1, completed: 0, total: 3)
        }
        bus.report(child) {
            $0.sequence = 1
            $0.descriptions = (1...3).map {
                child.description($0, "Part \($0)", parent: parent.task(1))
            }
            for index in 1...3 as ClosedRange<UInt64> { $0.add(index, completed: 0, total: 10) }
        }
        bus.pass()
        bus.control(
            child,
            child.endings(
                2,
                [
                    child.ending(
                        child.description(1, "Part 1", parent: parent.task(1)),
                        .succeeded,
                        completed: 10,
                        total: 10
                    ),
                    child.ending(
                        child.description(3, "Part 3", parent: parent.task(1)),
                        .failed,
                        completed: 2,
                        total: 10,
                        reason: "no space"
                    ),
                ]
            )
        )
        bus.report(child) {
            $0.sequence = 3
            $0.add(2, completed: 5, total: 10)
        }
        bus.pass()
        return bus
    }

    private func keyframes(_ bus: inout Bus) {
        bus.control(parent, parent.hello)
        bus.control(child, child.hello)
        bus.keyframe(parent, sequence: 10) {
            $0.descriptions = [parent.description(1, "Backup")]
            $0.add(1, completed: 0, total: 3)
        }
        bus.keyframe(child, sequence: 10) {
            var part = child.description(2, "Part 2", parent: parent.task(1))
            part.place = 2
            part.cell = 2
            $0.descriptions = [part]
            $0.add(2, completed: 6, total: 10)
        }
    }

    @Test func everythingIsBackAfterTheBrokerIsKilledAndNothingCountsTwice() {
        var bus = running()
        let before = bus.row(parent.task(1), asking: viewer)
        let places = bus.rows(of: .job(parent.task(1)), asking: viewer).map {
            [$0.task.index, $0.task.session, UInt64($0.description_p.place)]
        }
        #expect(abs((before?.progress.fraction ?? 0) - (1 + 0.5 + 0.2) / 3) < 1e-12)

        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass()
        keyframes(&next)
        next.pass()
        let after = next.row(parent.task(1), asking: viewer)
        #expect(abs((after?.progress.fraction ?? 0) - (1 + 0.6 + 0.2) / 3) < 1e-12)
        #expect(after?.progress.counts.succeeded == 1)
        #expect(after?.progress.counts.failed == 1)
        #expect(after?.progress.counts.running == 1)
        #expect(after?.description_p.slot == before?.description_p.slot)
        #expect(after?.description_p.key == before?.description_p.key)
        let placesAfter = next.rows(of: .job(parent.task(1)), asking: viewer).map {
            [$0.task.index, $0.task.session, UInt64($0.description_p.place)]
        }
        #expect(Set(placesAfter) == Set(places))
    }

    @Test func whatIsDisplayedAfterARestartDoesNotStickAtAPartOfTheTruth() {
        // Until the owner's keyframe the job is known without its total: one child, which ended.
        var bus = Bus()
        for client in [parent, viewer] { bus.control(client, client.hello) }
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [parent.description(1, "Backup")]
            $0.add(1, completed: 0, total: 20)
        }
        let child = parent.description(2, "Part", parent: parent.task(1))
        bus.control(parent, parent.endings(2, [parent.ending(child, .succeeded)]))
        bus.pass()
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass(2.5, hearing: [viewer])
        next.control(parent, parent.hello)
        next.pass()
        next.keyframe(parent, sequence: 10) {
            $0.descriptions = [parent.description(1, "Backup")]
            $0.add(1, completed: 0, total: 20)
        }
        next.pass()
        let row = next.row(parent.task(1), asking: viewer)
        #expect(row?.progress.fraction == 0.05)
        #expect(row?.progress.displayFraction == 0.05)
    }

    @Test func placesAreToldOnlyAfterTheWelcomeOfTheNewBroker() {
        var next = running().restarted()
        next.pass()
        keyframes(&next)
        next.pass()
        let kinds = next.answers(to: child).compactMap { body -> String? in
            switch body {
            case .welcome: "welcome"
            case .places: "places"
            default: nil
            }
        }
        #expect(kinds.first == "welcome")
        #expect(kinds.contains("places"))
    }

    @Test func aWorkerThatSendsNoKeyframeIsAskedForOne() {
        var bus = Bus()
        bus.control(parent, parent.hello)
        bus.pass(2.5, hearing: [parent])
        #expect(bus.answers(to: parent).count { $0 == .who(WireWho()) } == 1)
        bus.control(parent, parent.hello)
        bus.keyframe(parent)
        bus.pass(4.5, hearing: [parent])
        #expect(bus.answers(to: parent).count { $0 == .who(WireWho()) } == 1)
    }

    @Test("a keyframe that does not come is asked for ever more seldom, whatever hellos come")
    func keyframeNeverComes() {
        var bus = Bus()
        bus.control(parent, parent.hello)
        var asked = 0
        for _ in 0..<600 {
            bus.pass(0.1, hearing: [parent])
            let count = bus.answers(to: parent).count { $0 == .who(WireWho()) }
            if count > asked { bus.control(parent, parent.hello) }
            asked = count
        }
        #expect(asked == 4, "after 2, 6, 14 and 30 s")
    }

    @Test func aNewBrokerSettlesUntilTheSessionsItAwaitsHaveToldEverything() {
        var next = running().restarted()
        next.control(viewer, viewer.hello)
        next.subscribe(.totals)
        next.pass()
        #expect(next.published.last?.update.settling == true)
        keyframes(&next)
        next.pass(0.1)
        #expect(next.published.last?.update.settling == false)
    }

    @Test func aSessionThatNeverComesBackIsLostAndItsJobKeepsItsTitleAndSlot() {
        var next = running().restarted()
        next.control(viewer, viewer.hello)
        next.pass(12, hearing: [viewer])
        let row = next.row(parent.task(1), asking: viewer)
        #expect(row?.progress.state == .lost)
        #expect(row?.description_p.title == "Backup")
        #expect(row?.description_p.slot == 1)
    }

    @Test func aLostSessionStaysLostInTheNextBrokerToo() {
        var bus = running()
        bus.pass(12, hearing: [viewer, parent])
        #expect(bus.row(child.task(2), asking: viewer)?.progress.state == .lost)
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.control(parent, parent.hello)
        next.keyframe(parent, sequence: 10) {
            $0.descriptions = [parent.description(1, "Backup")]
            $0.add(1, completed: 0, total: 3)
        }
        next.pass()
        let row = next.row(child.task(2), asking: viewer)
        #expect(row?.progress.state == .lost)
        #expect(row?.progress.completed == 5)
    }

    @Test("an ending comes between a row without a job and its job: the ending is in the journal")
    func anEndingIsNotReplacedByAnOlderRow() {
        var configuration = CoreConfiguration()
        configuration.orphanAfter = 60
        var bus = Bus(configuration: configuration)
        for client in [child, viewer] { bus.control(client, client.hello) }
        let part = child.description(1, "Part", parent: parent.task(1))
        bus.report(child) {
            $0.sequence = 1
            $0.descriptions = [part]
            $0.add(1, completed: 5, total: 10)
        }
        // Lost, and written down so, before anybody has said what it is a part of.
        bus.pass(12, hearing: [viewer])
        bus.control(parent, parent.hello)
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [parent.description(1, "Backup")]
        }
        let ending = child.ending(part, .succeeded, completed: 10, total: 10)
        bus.control(child, child.endings(2, [ending]))
        bus.pass()
        #expect(bus.row(child.task(1), asking: viewer)?.progress.state == .succeeded)

        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass()
        let row = next.row(child.task(1), asking: viewer)
        #expect(row?.progress.state == .succeeded)
        #expect(row?.progress.completed == 10)
    }

    @Test func bindingsOutliveTheBroker() {
        var bus = Bus()
        for client in [parent, child, viewer] { bus.control(client, client.hello) }
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [
                parent.description(1, "Backup"),
                parent.description(2, "Part", parent: parent.task(1), isTicket: true),
            ]
        }
        bus.control(child, .redemption(of: parent.task(2)))
        bus.pass()
        var next = bus.restarted()
        for client in [parent, child, viewer] { next.control(client, client.hello) }
        let late = Client(5)
        next.control(late, late.hello)
        next.keyframe(child, sequence: 9) {
            $0.descriptions = [child.description(1, "", ticket: parent.task(2))]
        }
        next.control(late, .redemption(of: parent.task(2)))
        let binding = next.answers(to: late).compactMap {
            if case .binding(let binding) = $0 { binding } else { nil }
        }.last
        #expect(binding?.kind == .child, "the first redeemer still holds the ticket")
    }

    @Test func aKeyframeWithoutATaskForgetsItAndAMissingChunkIsAskedForAgain() {
        var bus = running()
        bus.report(child) {
            $0.sequence = 20
            $0.keyframe = 4
            $0.keyframeChunk = 1
        }
        bus.report(child) {
            $0.sequence = 21
            $0.keyframe = 4
            $0.keyframeChunk = 2
            $0.keyframeLast = true
        }
        #expect(bus.answers(to: child).count { $0 == .who(WireWho()) } == 1, "once for a keyframe")
        bus.pass()
        #expect(bus.row(child.task(2), asking: viewer) != nil)
        bus.report(child) {
            $0.sequence = 22
            $0.keyframe = 5
            $0.keyframeLast = true
        }
        bus.pass()
        #expect(bus.row(child.task(2), asking: viewer) == nil)
        #expect(bus.row(child.task(1), asking: viewer)?.progress.state == .succeeded)
    }

    @Test("a sync is answered before the next tick: the job that it stands for is on disk")
    func syncStandsForJobs() {
        var bus = Bus()
        bus.control(parent, parent.hello)
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [parent.description(1, "Backup")]
        }
        var sync = WireSync()
        sync.request = 7
        sync.sequence = 1
        bus.control(parent, .sync(sync))
        let isAnswered = bus.answers(to: parent).contains {
            if case .syncReached = $0 { true } else { false }
        }
        let isOnDisk = bus.journal.contains {
            if case .jobBegan(parent.task(1), _, _, _, _) = $0 { true } else { false }
        }
        #expect(isAnswered && isOnDisk)
    }

    @Test("a ticket of which the journal knows: in its place, also where its issuer was not told")
    func ticketsKeepTheirPlaces() {
        var bus = Bus()
        for client in [parent, viewer] { bus.control(client, client.hello) }
        func ticket(_ index: UInt64) -> WireDescription {
            parent.description(index, "Part \(index)", parent: parent.task(1), isTicket: true)
        }
        // Not in the order of their numbers.
        for (sequence, index) in [(1, 4), (2, 3), (3, 2)] as [(UInt64, UInt64)] {
            bus.report(parent) {
                $0.sequence = sequence
                $0.descriptions = [parent.description(1, "Pool"), ticket(index)]
            }
            bus.pass()
        }
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.control(parent, parent.hello)
        next.pass()
        next.keyframe(parent, sequence: 4) {
            $0.descriptions = [parent.description(1, "Pool")] + (2...4).map(ticket)
        }
        next.pass()
        let places = (2...4).map {
            next.row(parent.task($0), asking: viewer)?.description_p.place
        }
        #expect(places == [3, 2, 1])
    }
}
