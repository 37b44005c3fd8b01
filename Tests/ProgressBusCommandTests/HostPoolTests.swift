import BusProtocol
import Testing

@testable import ProgressBusCommand

@Suite("Commands over several machines")
struct HostPoolTests {
    private func pool(_ text: String, slots: Int = 2) throws -> HostPool {
        let bus = try BusEndpoint(parsing: "ipc:///run/bus")
        return HostPool(try RemoteShell.list(text, slots: slots, bus: bus))
    }

    @Test("each machine has its slots, and the one with the most of them free is next")
    func spreading() throws {
        var pool = try pool("a,b:4")
        #expect(pool.slots == 6)
        var order: [String] = []
        while let place = pool.take() { order.append(place.shell.machine.machine) }
        #expect(order == ["a", "b", "b", "a", "b", "b"])
        #expect(pool.giveBack(0, isReached: true) == nil)
        #expect(pool.take()?.host == 0)
    }

    @Test("three failures in a row leave a machine out, said once; a success in between does not")
    func leavingOut() throws {
        var pool = try pool("a:4,b")
        for _ in 0..<6 { _ = pool.take() }
        #expect(pool.giveBack(0, isReached: false) == nil)
        #expect(pool.giveBack(0, isReached: false) == nil)
        #expect(pool.giveBack(0, isReached: true) == nil)
        #expect(pool.slots == 6)
        for _ in 0..<3 { _ = pool.take() }
        for _ in 0..<2 { #expect(pool.giveBack(0, isReached: false) == nil) }
        #expect(pool.giveBack(0, isReached: false)?.machine.machine == "a")
        #expect(pool.giveBack(0, isReached: false) == nil)
        #expect(pool.slots == 2)
        #expect(pool.take() == nil, "the other is full")
    }

    @Test("words that are no list of machines", arguments: ["", "a,", "a:0", "a:x", "a:257", "-o"])
    func refused(text: String) {
        #expect(throws: CommandFailure.self) { try pool(text) }
    }
}
