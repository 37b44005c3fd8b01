import BusProtocol
import TaskTree
import Testing

@testable import FleetCore

@Suite("What NATS keeps for a fleet") struct ReadingTests {
    @Test("what the stream refuses is said again once it takes it")
    func refused() {
        var fleet = PlayedFleet.two()
        fleet.isFull = true
        fleet.hosts[1].show("Far", slot: 1) { $0.progress.state = .succeeded }
        fleet.hosts[1].show("Second", slot: 2)
        fleet.pass(seconds: 5)
        let slot = FleetSubject.slot(fleet.hosts[1].pages[0] * 64 + 2, of: 2)
        #expect(fleet.stream[slot] == nil)
        fleet.isFull = false
        fleet.pass(seconds: 3)
        #expect(fleet.stream[slot]?.row.description_p.title == "Second")
        #expect(fleet.hosts[0].others.values.sorted() == ["Far", "Second"])
    }

    @Test("a record that did not come is noticed by the next beat, and the stream is read")
    func gap() {
        var fleet = PlayedFleet.two()
        let readings = fleet.readings
        fleet.hosts[1].show("Far", slot: 1) { $0.progress.state = .failed }
        fleet.hosts[1].show("Second", slot: 2)
        // Kept, and not heard by the other one.
        let board = fleet.hosts[0]
        fleet.pass(seconds: 0.5)
        fleet.hosts[0] = board
        #expect(fleet.hosts[0].others.count == 1)
        fleet.pass(seconds: 4)
        #expect(fleet.hosts[0].others.values.sorted() == ["Far", "Second"])
        #expect(fleet.readings > readings)
    }

    @Test("an emptied stream has all again after a reading, every page with its owner")
    func emptied() {
        var fleet = PlayedFleet.two()
        let before = fleet.stream.keys
        let pages = fleet.hosts.map(\.pages)
        fleet.stream = [:]
        for index in fleet.hosts.indices { fleet.receive(.disconnected, at: index) }
        for index in fleet.hosts.indices { fleet.receive(.connected, at: index) }
        fleet.pass(seconds: 5)
        #expect(Set(fleet.stream.keys) == Set(before))
        #expect(fleet.hosts.map(\.pages) == pages)
        #expect(fleet.hosts[0].others.values.sorted() == ["Far"])
    }

    @Test("what the stream refuses is not said with every tick")
    func refusedPuts() {
        var fleet = PlayedFleet.two()
        fleet.isFull = true
        for slot in 2...9 { fleet.hosts[1].show("Job \(slot)", slot: slot) }
        let before = fleet.puts
        fleet.pass(seconds: 10)
        #expect((8...60).contains(fleet.puts - before), "\(fleet.puts - before)")
    }

    @Test("a bridge that begins makes no other one read")
    func beginningOfAnother() {
        var fleet = PlayedFleet.two()
        fleet.hosts[1].hide(slot: 1)
        fleet.pass()
        let before = fleet.readings
        fleet.begin(1, pages: fleet.hosts[1].pages)
        fleet.pass(seconds: 5)
        #expect(fleet.readings == before + 1)
    }

    @Test("what a host has left in the stream that went days ago is not shown")
    func goneForLong() throws {
        var fleet = PlayedFleet.two()
        let (page, shown) = (9, fleet.hosts[0].others)
        var record = WireFleetRecord()
        (record.broker, record.life, record.sequence) = (7, 1, 1)
        record.time = fleet.unixTime - 2 * 24 * 3_600
        fleet.stream[.page(page)] = record
        record.row.task = WireTaskRef(TaskID(index: 1, session: SessionID(rawValue: 70)))
        record.row.description_p.slot = UInt32(page * ProtocolLimits.boardSlots + 1)
        record.row.description_p.title = "Long gone"
        fleet.stream[.slot(page * ProtocolLimits.boardSlots + 1, of: 7)] = record
        fleet.receive(.connected, at: 0)
        fleet.pass(seconds: 2)
        #expect(fleet.hosts[0].others == shown)
        #expect(fleet.hosts[0].unheard[7] == nil)
    }
}
