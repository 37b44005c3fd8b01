import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// A job that runs again is one row: its former run gives it key and slot once it has ended.
@Suite("Reruns") struct RerunTests {
    private let viewer = Client(2, viewer: true)

    private func bus() -> Bus {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        return bus
    }

    /// One run of `Nightly` by a process of its own; nil: it runs still.
    @discardableResult
    private func run(
        _ number: UInt8,
        _ state: WireStatedState?,
        reason: String = "",
        title: String = "Nightly",
        on bus: inout Bus
    ) -> Client {
        let client = Client(number)
        bus.control(client, client.hello)
        let job = client.description(1, title)
        bus.report(client) {
            $0.sequence = 1
            $0.descriptions = [job]
        }
        bus.pass()
        guard let state else { return client }
        bus.control(client, client.endings(2, [client.ending(job, state, reason: reason)]))
        bus.control(client, .goodbye(WireGoodbye()))
        bus.pass()
        return client
    }

    private func rows(_ bus: inout Bus) -> [WireRow] {
        bus.rows(of: .board(page: 0), asking: viewer)
    }

    private func onlyRow(_ bus: inout Bus) throws -> WireRow {
        let rows = rows(&bus)
        #expect(rows.count == 1)
        return try #require(rows.first)
    }

    private func dismiss(_ task: TaskID, on bus: inout Bus) {
        var command = WireCommandRequest()
        command.request = 9
        command.verb = .dismiss
        command.target = WireTaskRef(task)
        command.timeout = 2_000
        bus.control(viewer, .command(command))
        bus.pass()
    }

    @Test("four failed nights and a success are one row, which stays until somebody dismisses it")
    func nights() throws {
        var bus = bus()
        for night in 10...13 as ClosedRange<UInt8> {
            run(night, .failed, reason: "exit status \(night)", on: &bus)
            bus.pass(1, hearing: [viewer])
        }
        let last = run(14, .succeeded, on: &bus)
        bus.pass(60, hearing: [viewer])
        let row = try onlyRow(&bus)
        #expect(row.description_p.slot == 1)
        #expect(row.description_p.key == "Nightly")
        #expect(row.progress.state == .succeeded)
        #expect(row.progress.needsAttention)
        #expect(row.progress.note == "run 5; run 4 failed (4 failures): exit status 13")
        dismiss(last.task(1), on: &bus)
        #expect(rows(&bus).isEmpty)
        bus.expectEmptyJournal()
    }

    @Test("what is told of a failed run outlives the broker")
    func restart() throws {
        var bus = bus()
        run(10, .failed, reason: "no space left", on: &bus)
        run(11, .succeeded, on: &bus)
        bus = bus.restarted()
        bus.control(viewer, viewer.hello)
        bus.pass(60, hearing: [viewer])
        let second = try onlyRow(&bus)
        #expect(second.progress.note == "run 2; run 1 failed: no space left")
        #expect(second.progress.needsAttention)
        run(12, .succeeded, on: &bus)
        let third = try onlyRow(&bus)
        #expect(third.progress.note == "run 3; run 1 failed: no space left")
    }

    @Test("while it runs again it needs no attention; dismissing it dismisses what failed before")
    func running() throws {
        var bus = bus()
        run(10, .failed, reason: "no space left", on: &bus)
        let again = run(11, nil, on: &bus)
        var row = try onlyRow(&bus)
        #expect(row.progress.note == "run 2; run 1 failed: no space left")
        #expect(!row.progress.needsAttention)
        dismiss(again.task(1), on: &bus)
        row = try onlyRow(&bus)
        #expect(row.progress.note == "")
        var after = bus.restarted()
        after.control(viewer, viewer.hello)
        after.control(again, again.hello)
        after.pass(3)
        #expect(rows(&after).map(\.progress.note) == [""])
    }

    @Test("a run that succeeded makes way at once and nothing is told of it")
    func succeeded() throws {
        var bus = bus()
        for number in 10...15 as ClosedRange<UInt8> { run(number, .succeeded, on: &bus) }
        let row = try onlyRow(&bus)
        #expect(row.description_p.slot == 1)
        #expect(row.progress.note == "")
        bus.pass(12, hearing: [viewer])
        bus.expectEmptyJournal()
    }

    @Test(
        "a run after a failure that its owner says no more of, or hangs elsewhere: the failure stays",
        arguments: [
            ("keyframe", WireShownState.cancelled), ("parent", .running),
            ("ticket", .running), ("redeem", .running),
        ]
    )
    func withdrawn(way: String, state: WireShownState) throws {
        var bus = bus()
        run(10, .failed, reason: "disk full", on: &bus)
        let thief = run(11, nil, on: &bus)
        let ticket = thief.description(2, "Ticket", isTicket: true)
        var described = thief.description(1, "Nightly")
        bus.report(thief) {
            $0.sequence = 5
            switch way {
            case "keyframe":
                $0.keyframe = 1
                $0.keyframeLast = true
            case "parent":
                described = thief.description(1, "Nightly", parent: thief.task(2))
                $0.descriptions = [thief.description(2, "Other"), described]
            case "ticket":
                described = thief.description(1, "Nightly", ticket: thief.task(2))
                $0.descriptions = [ticket, described]
            default: $0.descriptions = [ticket]
            }
        }
        if way == "redeem" {
            bus.control(thief, .redemption(of: thief.task(2)))
        }
        bus.pass(20, hearing: [thief, viewer])
        let row = try #require(rows(&bus).first { $0.description_p.slot == 1 })
        #expect(row.task == WireTaskRef(thief.task(1)))
        #expect(row.progress.state == state)
        #expect(row.progress.note == "run 2; run 1 failed: disk full")
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass(20, hearing: [viewer])
        let kept = try #require(rows(&next).first { $0.description_p.slot == 1 })
        #expect(kept.progress.note == row.progress.note)
        dismiss(thief.task(1), on: &bus)
        #expect(rows(&bus).allSatisfy { $0.progress.note == "" })
    }

    @Test("a run beside a living one of the same key gets a slot of its own")
    func living() {
        var bus = bus()
        run(10, nil, on: &bus)
        run(11, .failed, on: &bus)
        run(12, .succeeded, on: &bus)
        let rows = rows(&bus).sorted { $0.description_p.slot < $1.description_p.slot }
        #expect(rows.map(\.description_p.key) == ["Nightly", "Nightly#2"])
        #expect(rows.map(\.progress.note) == ["", "run 2; run 1 failed"])
    }

    @Test("a run below which something still runs keeps its slot")
    func liveBelow() {
        var bus = bus()
        let former = Client(10)
        let helper = Client(20)
        for client in [former, helper] { bus.control(client, client.hello) }
        let job = former.description(1, "Nightly")
        bus.report(former) {
            $0.sequence = 1
            $0.descriptions = [job]
        }
        bus.report(helper) {
            $0.sequence = 1
            $0.descriptions = [helper.description(1, "Part", parent: former.task(1))]
        }
        bus.pass()
        bus.control(former, former.endings(2, [former.ending(job, .failed)]))
        bus.pass()
        run(11, .succeeded, on: &bus)
        #expect(rows(&bus).map(\.description_p.slot).sorted() == [1, 2])
    }

    @Test(
        "of runs that are heard of when they have ended, as from the spool, the next replaces one",
        arguments: [(2_000.0, ["Nightly", "Nightly#2"]), (3_000.0, ["Nightly"])]
    )
    func late(secondBegan: Double, keys: [String]) {
        var bus = bus()
        for (number, begun) in [(10, 2_000.0), (11, secondBegan)] as [(UInt8, Double)] {
            let client = Client(number)
            bus.control(client, client.hello)
            var job = client.description(1, "Nightly")
            job.begun = begun
            var ending = client.ending(job, .failed)
            ending.time = begun + 10
            bus.control(client, client.endings(2, [ending]))
            bus.pass()
        }
        #expect(rows(&bus).map(\.description_p.key).sorted() == keys)
    }
}
