import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// When tasks began and ended: their owners' word, whichever broker heard it and when.
@Suite struct TimeTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)
    let other = Client(3)
    /// What a wall clock may say: no whole number of anything.
    let began = 1_800_000_123.456_789_1

    /// A job, its child and a ticket, which all began while no broker was there.
    private var descriptions: [WireDescription] {
        [
            worker.description(1, "Backup", begun: began),
            worker.description(2, "Scan", parent: worker.task(1), begun: began + 0.1),
            worker.description(3, "Part", parent: worker.task(1), isTicket: true),
        ]
    }

    /// A broker that begins so many seconds after the job, by a right clock, with this journal.
    private func broker(after seconds: Double, journal: [JournalEntry] = []) -> Bus {
        var bus = Bus(journal: JournalEntry.compact(journal), unixTime: began + seconds)
        bus.control(viewer, viewer.hello)
        bus.pass(2.5, hearing: [viewer])
        return bus
    }

    /// The worker says everything there is to say of tasks that run.
    private func keyframe(_ bus: inout Bus, elapsed: UInt64, _ all: [WireDescription]) {
        bus.control(worker, worker.hello)
        bus.keyframe(worker, sequence: 10) {
            $0.descriptions = all
            $0.clockIndex = [1, 2]
            $0.elapsed = [elapsed, elapsed]
            $0.active = [elapsed, elapsed]
            $0.sinceAdvance = [elapsed, elapsed]
        }
        bus.pass()
    }

    private func begunTimes(_ bus: inout Bus) -> [Double?] {
        (1...3).map { bus.row(worker.task($0), asking: viewer)?.progress.begun }
    }

    // MARK: Begun

    @Test("tasks began while no broker was there: each that follows shows what their owner says")
    func begunWithoutABroker() {
        let expected = [began, began + 0.1, 0]
        var first = broker(after: 10)
        keyframe(&first, elapsed: 12_000, descriptions)
        #expect(begunTimes(&first) == expected)
        // However late, and if its clock went another way.
        var second = broker(after: 500)
        keyframe(&second, elapsed: 430_000, descriptions)
        #expect(begunTimes(&second) == expected)
        var third = broker(after: 600, journal: first.journal)
        #expect(begunTimes(&third)[0] == began, "before its owner is back")
        keyframe(&third, elapsed: 602_000, descriptions)
        #expect(begunTimes(&third) == expected)
    }

    @Test("the owner is lost: later brokers have from the journal when its tasks began and ended")
    func lostOwner() throws {
        var first = broker(after: 10)
        keyframe(&first, elapsed: 12_500, descriptions)
        first.pass(12, hearing: [viewer])
        let before = try first.shown(worker.task(2), to: viewer).progress
        #expect(before.state == .lost && before.begun == began + 0.1)
        for late in [40.0, 400] {
            var next = broker(after: late, journal: first.journal)
            let after = try next.shown(worker.task(2), to: viewer).progress
            #expect(after.begun == before.begun && after.ended == before.ended)
            #expect(abs(after.active - before.active) < 0.002)
            #expect(abs(after.advanced - before.advanced) < 0.002)
        }
        // It was not lost after all.
        keyframe(&first, elapsed: 30_000, descriptions)
        let back = try first.shown(worker.task(2), to: viewer).progress
        #expect(back.state == .running && !back.hasEnded && back.begun == began + 0.1)
        #expect(abs(back.active - 30) < 0.06)
    }

    @Test("an owner that does not say when: the broker's own estimate")
    func notSaid() throws {
        var bus = broker(after: 10)
        var all = descriptions
        all[1].begun = 0
        keyframe(&bus, elapsed: 5_000, all)
        let begun = try #require(bus.row(worker.task(2), asking: viewer)?.progress.begun)
        let now = bus.unixTime + Double(bus.now.nanoseconds) / 1e9
        // A clock counts from the next step.
        #expect(abs(begun - (now - 5)) < 0.06)
    }

    @Test("a begin in the future, or far beyond: shown as it is said, and nothing breaks")
    func future() throws {
        for time in [began + 1e6, 253_402_300_799, .leastNonzeroMagnitude] {
            var bus = broker(after: 10)
            var all = descriptions
            all[1].begun = time
            keyframe(&bus, elapsed: 1_000, all)
            let row = try bus.shown(worker.task(2), to: viewer).progress
            #expect(row.begun == time && row.active >= 1 && row.active < 1.1)
            bus.control(worker, worker.endings(11, [ended(all[1], at: time)]))
            bus.pass()
            let last = try bus.shown(worker.task(2), to: viewer).progress
            #expect(last.begun == time && last.ended == time && last.active == 8)
            #expect(last.advanced.isFinite && last.advanced >= 0)
        }
    }

    // MARK: Ended

    /// It ended 10 s after its begin, of which it was paused for two; its last advance was 3 s before.
    private func ended(_ description: WireDescription, at time: Double) -> WireEnding {
        var ending = worker.ending(description, .failed, reason: "the disk is full")
        ending.clock.elapsed = 10_000
        ending.clock.active = 8_000
        ending.clock.sinceAdvance = 3_000
        ending.time = time
        return ending
    }

    @Test(
        "an ending is heard at once, late, from the journal, or again: times are the same",
        arguments: [-1_000.0, 0, 1_000]
    )
    func endedTimes(skew: Double) throws {
        // The worker's clock is that much ahead of the brokers'.
        var all = descriptions
        all[1].begun += skew
        let ending = ended(all[1], at: all[1].begun + 10)
        func shown(_ bus: inout Bus) throws -> WireRowProgress {
            bus.pass()
            return try bus.shown(worker.task(2), to: viewer).progress
        }
        func check(_ bus: inout Bus) throws {
            let row = try shown(&bus)
            #expect(row.begun == all[1].begun && row.ended == ending.time)
            #expect(row.active == 8)
            #expect(abs(row.advanced - (ending.time - 3)) < 1e-4)
        }
        var first = broker(after: 5)
        keyframe(&first, elapsed: 8_000, all)
        first.pass(2, hearing: [worker, viewer])
        first.control(worker, worker.endings(11, [ending]))
        try check(&first)
        // Known before, as its owner states what ended and is not acknowledged, or not.
        for isKnown in [true, false] {
            var late = broker(after: 60)
            keyframe(&late, elapsed: 62_000, isKnown ? all : [all[0]])
            late.pass(2, hearing: [worker, viewer])
            late.control(worker, worker.endings(11, [ending]))
            try check(&late)
        }
        var last = broker(after: 90, journal: first.journal)
        try check(&last)
        keyframe(&last, elapsed: 92_000, [all[0]])
        last.control(worker, worker.endings(12, [ending]))
        try check(&last)
    }

    @Test("an ending without a time: the broker's, which the next one knows and does not change")
    func endedWithoutTime() throws {
        var first = broker(after: 5)
        keyframe(&first, elapsed: 7_000, descriptions)
        let ending = ended(descriptions[1], at: 0)
        first.control(worker, worker.endings(11, [ending]))
        first.pass()
        let before = try first.shown(worker.task(2), to: viewer).progress
        #expect(before.ended > began + 5)
        var next = broker(after: 60, journal: first.journal)
        for sequence in [11, 12] as [UInt64] {
            let after = try next.shown(worker.task(2), to: viewer).progress
            #expect(after.ended == before.ended && after.active == before.active)
            #expect(abs(after.advanced - before.advanced) < 1e-4)
            keyframe(&next, elapsed: 70_000, [descriptions[0]])
            next.control(worker, worker.endings(sequence, [ending]))
            next.pass()
        }
    }

    // MARK: Tickets

    private func redeem(_ client: Client, in bus: inout Bus) {
        var redeem = WireRedeem()
        redeem.index = 1
        redeem.ticket = WireTaskRef(worker.task(3))
        bus.control(client, client.hello)
        bus.control(client, .redeem(redeem))
    }

    @Test("a ticket's task began when the holder of its current attempt began, in each broker")
    func attempts() throws {
        let late = Client(4)
        let part = other.description(1, "", ticket: worker.task(3), begun: began + 20)
        let again = late.description(1, "", ticket: worker.task(3), begun: began + 30)
        var bus = broker(after: 10)
        keyframe(&bus, elapsed: 12_000, descriptions)
        redeem(other, in: &bus)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [part]
        }
        bus.pass()
        #expect(begunTimes(&bus) == [began, began + 0.1, began + 20])
        bus.control(other, other.endings(2, [ended(part, at: began + 25)]))
        bus.pass()
        redeem(late, in: &bus)
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [again]
            $0.clockIndex = [1]
            $0.elapsed = [4_000]
            $0.active = [4_000]
            $0.sinceAdvance = [4_000]
        }
        bus.pass()
        // The former holder's last word is late, and said again.
        bus.control(other, other.endings(3, [ended(part, at: began + 26)]))
        bus.pass()
        let row = try bus.shown(worker.task(3), to: viewer).progress
        #expect(row.state == .running && !row.hasEnded && row.begun == began + 30)
        #expect(abs(row.active - 4.1) < 0.06)
        bus.control(late, late.endings(2, [ended(again, at: began + 40)]))
        bus.pass()
        var next = broker(after: 90, journal: bus.journal)
        let rows = [
            try bus.shown(worker.task(3), to: viewer), try next.shown(worker.task(3), to: viewer),
        ]
        for row in rows {
            #expect(row.progress.begun == began + 30 && row.progress.ended == began + 40)
            #expect(row.progress.active == 8)
        }
    }

    @Test("attempts begin and end between two steps: times are those of the last one")
    func quickAttempts() throws {
        var bus = broker(after: 10)
        keyframe(&bus, elapsed: 12_000, descriptions)
        for (number, client) in [other, Client(4)].enumerated() {
            let time = began + 20 + Double(number)
            let part = client.description(1, "", ticket: worker.task(3), begun: time)
            redeem(client, in: &bus)
            bus.control(client, client.endings(2, [ended(part, at: time + 10)]))
        }
        bus.pass()
        let row = try bus.shown(worker.task(3), to: viewer)
        #expect(row.description_p.attempt == 2)
        #expect(row.progress.begun == began + 21 && row.progress.ended == began + 31)
        #expect(row.progress.active == 8)
    }

    @Test("a ticket that nobody began has no begin, and the same end in the next broker")
    func neverBegun() throws {
        var bus = broker(after: 10)
        keyframe(&bus, elapsed: 12_000, descriptions)
        var ending = worker.ending(descriptions[0], .succeeded)
        ending.time = began + 13
        bus.control(worker, worker.endings(11, [ending]))
        bus.pass(62, hearing: [worker, viewer])
        let before = try bus.shown(worker.task(3), to: viewer).progress
        #expect(before.state == .cancelled && before.begun == 0 && before.ended > began + 70)
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(2, hearing: [viewer])
        #expect(bus.row(worker.task(3), asking: viewer)?.progress.ended == before.ended)
        var next = broker(after: 200, journal: bus.journal)
        let after = try next.shown(worker.task(3), to: viewer).progress
        #expect(after.begun == 0 && after.ended == before.ended)
    }

    // MARK: Detached tasks

    @Test("a detached task began and ended when the broker says so that carried it out")
    func detached() throws {
        var bus = broker(after: 10)
        var script = Script()
        let id = try bus.begin(&script, "Back up")
        bus.pass()
        let begun = try bus.shown(id, to: viewer).progress.begun
        #expect(abs(begun - (began + 13.5)) < 0.1)
        var next = broker(after: 100, journal: bus.journal)
        #expect(try next.shown(id, to: viewer).progress.begun == begun)
        #expect(next.ask(&script, .end(id, .failed, "no space"))?.refusal == nil)
        next.pass()
        let before = try next.shown(id, to: viewer).progress
        var last = broker(after: 200, journal: next.journal)
        let after = try last.shown(id, to: viewer).progress
        #expect(after.begun == begun && after.ended == before.ended)
        #expect(abs(after.active - before.active) < 0.002)
    }

    // MARK: What is kept

    @Test("times of what is never shown are forgotten with their session")
    func nothingStays() {
        var bus = broker(after: 10)
        keyframe(&bus, elapsed: 12_000, descriptions)
        bus.control(other, other.hello)
        // Below a task that nobody ever describes.
        let lone = other.description(1, "Lone", parent: TaskID(index: 9, session: worker.session))
        bus.control(other, other.endings(1, [ended(lone, at: began)]))
        #expect(bus.machine.knownTasks.facts.count == 1)
        bus.control(other, .goodbye(WireGoodbye()))
        bus.pass(30, hearing: [worker, viewer])
        #expect(bus.machine.knownTasks.facts.isEmpty)
    }
}

extension Client {
    fileprivate func description(
        _ index: UInt64,
        _ title: String,
        parent: TaskID? = nil,
        ticket: TaskID? = nil,
        begun: Double
    ) -> WireDescription {
        var description = description(index, title, parent: parent, ticket: ticket)
        description.begun = begun
        return description
    }
}
