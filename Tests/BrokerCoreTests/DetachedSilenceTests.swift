import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Detached tasks that promise a word every so often, those that do not, and those that a broker
/// finds in the journal.
@Suite struct DetachedSilenceTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    private func stage() -> Bus {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        bus.pass(2.5, hearing: [viewer])
        return bus
    }

    @Test func withoutAPromiseATaskIsNeverSilentLostOrStalledByItsTotalAlone() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Long") { $0.total = 5 }
        bus.pass(400, hearing: [viewer])
        let row = try bus.shown(id, to: viewer)
        #expect(row.progress.state == .running)
        #expect(!row.progress.silent && !row.progress.stalled && !row.progress.needsAttention)
    }

    @Test func afterTwoAdvancesTheUsualGapDecidesWhetherItIsStalled() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Steady") { $0.total = 50 }
        for _ in 0..<3 {
            bus.pass(2, hearing: [viewer])
            #expect(bus.ask(&script, .advance(id))?.refusal == nil)
        }
        bus.pass(18, hearing: [viewer])
        #expect(bus.row(id, asking: viewer)?.progress.stalled == false)
        bus.pass(14, hearing: [viewer])
        #expect(bus.row(id, asking: viewer)?.progress.stalled == true)
    }

    @Test func withAPromiseItIsSilentThenLostAndBackWithTheNextRequest() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Promised") { $0.expectEvery = 10 }
        bus.pass(9, hearing: [viewer])
        #expect(bus.row(id, asking: viewer)?.progress.silent == false)
        #expect(bus.ask(&script, .update(id))?.refusal == nil, "a sign of life")
        bus.pass(9, hearing: [viewer])
        #expect(bus.row(id, asking: viewer)?.progress.silent == false)
        bus.pass(3, hearing: [viewer])
        let silent = bus.row(id, asking: viewer)
        #expect(silent?.progress.silent == true)
        #expect(silent?.progress.state == .running)
        #expect(bus.ask(&script, .advance(id))?.refusal == nil)
        bus.pass()
        #expect(bus.row(id, asking: viewer)?.progress.silent == false)
        bus.pass(32, hearing: [viewer])
        let lost = bus.row(id, asking: viewer)
        #expect(lost?.progress.state == .lost)
        #expect(lost?.progress.reason.contains("though one was promised every 10 s") == true)
        #expect(bus.ask(&script, .advance(id))?.refusal == nil)
        bus.pass()
        let back = bus.row(id, asking: viewer)
        #expect(back?.progress.state == .running)
        #expect(back?.progress.completed == 2)
        #expect(back?.progress.silent == false)
    }

    @Test func aWordOfWhoeverWorksBelowItKeepsThePromise() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Promised") { $0.expectEvery = 5 }
        let part = try bus.begin(&script, "Part") { $0.parent = id.description }
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Child", parent: part)]
        }
        bus.pass(60, hearing: [viewer, worker])
        #expect(bus.row(id, asking: viewer)?.progress.silent == false)
        #expect(bus.row(id, asking: viewer)?.progress.state == .running)
        // Its session says no more: lost after 11 s, and its task silent after the same.
        bus.pass(25, hearing: [viewer])
        #expect(
            bus.row(id, asking: viewer)?.progress.state != .running
                || bus.row(id, asking: viewer)?.progress.silent == true
        )
    }

    @Test func aBrokerThatWasStoppedBlamesNobodyForIt() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Promised") { $0.expectEvery = 5 }
        bus.now = bus.now.advanced(bySeconds: 60)
        bus.pass(1, hearing: [viewer])
        #expect(bus.row(id, asking: viewer)?.progress.silent == false)
    }

    @Test func aNewBrokerHasTheTasksTheirNumbersTheirPlacesAndTheRequestsOfTheOneBefore() throws {
        var bus = stage()
        var script = Script()
        let top = try bus.begin(&script, "Top") {
            $0.total = 10
            $0.key = "top"
            $0.expectEvery = 10
        }
        _ = try bus.begin(&script, "First") { $0.parent = top.description }
        let second = try bus.begin(&script, "Second") {
            $0.parent = top.description
            $0.share = 3
        }
        let request = script.request(.advance(top, by: 4))
        let answer = bus.send(request)
        #expect(bus.ask(&script, .end(second, .succeeded))?.refusal == nil)
        bus.pass(5, hearing: [viewer])

        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass()
        #expect(next.send(request) == answer)
        next.pass()
        let row = try next.shown(top, to: viewer)
        #expect(row.progress.state == .running)
        #expect(row.progress.completed == 4)
        #expect(row.progress.total == 10)
        #expect(row.description_p.key == "top")
        #expect(row.description_p.expectedGap == 10)
        #expect(row.description_p.slot == bus.row(top, asking: viewer)?.description_p.slot)
        let ended = next.row(second, asking: viewer)
        #expect(ended?.progress.state == .succeeded)
        #expect(ended?.description_p.place == 2)
        #expect(next.row(top, asking: viewer)?.progress.silent == false)
        let fourth = try next.begin(&script, "Next")
        #expect(fourth == Script.task(4), "no number is given twice")
        next.pass(40, hearing: [viewer])
        #expect(next.row(top, asking: viewer)?.progress.state == .lost)
    }

    @Test func noNumberIsGivenTwiceThoughAllTasksHaveLeftBeforeTheRestart() throws {
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Short")
        #expect(bus.ask(&script, .end(id))?.refusal == nil)
        bus.pass(11, hearing: [viewer])
        #expect(bus.row(id, asking: viewer) == nil)
        var next = bus.restarted()
        let other = try next.begin(&script, "Other")
        #expect(other == Script.task(2))
    }

    @Test func anAdvanceCountsOnceWhereverTheBrokerDies() throws {
        // The entries of one request are one batch: on disk as a whole or not at all.
        var bus = stage()
        var script = Script()
        let id = try bus.begin(&script, "Count")
        let before = bus.journal
        let request = script.request(.advance(id, by: 7))
        bus.isJournalQuick = false
        #expect(bus.send(request) == [])
        for journal in [before, bus.journal] {
            var next = Bus(
                journal: JournalEntry.compact(journal),
                ownSession: SessionID(rawValue: 79)
            )
            next.control(viewer, viewer.hello)
            #expect(next.send(request).map(\.code) == [0])
            next.pass()
            #expect(next.row(id, asking: viewer)?.progress.completed == 7)
        }
    }
}
