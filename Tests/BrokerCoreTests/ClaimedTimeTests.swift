import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Owners say when their tasks began and ended: whatever they say, viewers can read the rows.
@Suite("Claimed times") struct ClaimedTimeTests {
    private static let times = [0, 1, 1_700_000_000, 1_800_000_500, ProtocolLimits.maxUnixTime]
    private static let spans: [UInt64] = [0, 60_000, 1 << 40, ProtocolLimits.maxMilliseconds]

    @Test("begun and ended at any time, at work for any time: each row is accepted")
    func rows() {
        let worker = Client(1)
        let viewer = Client(2, viewer: true)
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        var endings: [WireEnding] = []
        for begun in Self.times {
            for ended in Self.times {
                for span in Self.spans {
                    var description = worker.description(UInt64(endings.count) + 1, "Job")
                    description.begun = begun
                    var ending = worker.ending(description, .failed)
                    ending.time = ended
                    ending.clock.elapsed = span
                    ending.clock.active = span
                    ending.clock.sinceAdvance = span
                    endings.append(ending)
                }
            }
        }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = endings.map(\.description_p)
        }
        bus.pass(1)
        bus.control(worker, worker.endings(2, endings))
        bus.pass(1)
        // What a viewer would refuse is an issue of its own, see `Bus`.
        let rows = (0...1).flatMap { bus.rows(of: .board(page: $0), asking: viewer) }
        #expect(rows.count == endings.count)
    }

    @Test(
        "a clock that is far from the broker's: rows have the times of the broker's clock",
        arguments: [600.0, -600, 1.5]
    )
    func otherClocks(ahead: Double) {
        let worker = Client(1)
        let viewer = Client(2, viewer: true)
        var bus = Bus()
        guard case .hello(var hello) = worker.hello else { return }
        hello.time = 1_800_000_001 + ahead
        bus.control(worker, .hello(hello))
        bus.control(viewer, viewer.hello)
        var description = worker.description(1, "Job")
        description.begun = 1_800_000_001 + ahead
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [description]
            var line = WireLogLine()
            line.task = WireTaskRef(worker.task(1))
            line.text = "begun"
            line.time = description.begun
            $0.logs = [line]
        }
        bus.pass(20, hearing: [worker, viewer])
        // A difference that the way of the hello may have made is left alone.
        let rest = ahead.magnitude < 2 ? ahead : 0
        let begun = bus.row(worker.task(1), asking: viewer)
        #expect(((begun?.progress.begun ?? 0) - 1_800_000_001 - rest).magnitude < 0.01)
        var ending = worker.ending(description, .failed)
        ending.time = 1_800_000_021 + ahead
        bus.control(worker, worker.endings(2, [ending]))
        bus.pass()
        let ended = bus.row(worker.task(1), asking: viewer)
        #expect(((ended?.progress.ended ?? 0) - 1_800_000_021 - rest).magnitude < 0.01)
        #expect(ended?.progress.begun == begun?.progress.begun)
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        let restored = next.row(worker.task(1), asking: viewer)
        #expect(restored?.progress.ended == ended?.progress.ended, "in the journal too")
    }

    @Test("an ending that is said again with another time and a later clock: the row is accepted")
    func saidAgain() {
        let worker = Client(1)
        let viewer = Client(2, viewer: true)
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        var ending = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(1, [ending]))
        bus.pass(12, hearing: [worker, viewer])
        ending.time = ProtocolLimits.maxUnixTime
        ending.completed = 3
        ending.clock.elapsed = 1
        bus.control(worker, worker.endings(2, [ending]))
        bus.pass()
        let row = bus.row(worker.task(1), asking: viewer)
        #expect(row?.progress.ended == ProtocolLimits.maxUnixTime)
        #expect(row?.progress.advanced == ProtocolLimits.maxUnixTime)
    }
}
