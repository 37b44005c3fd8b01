import Testing
import ZeroMQ

@testable import ProgressBusBroker

@Suite("Viewers that do not stop talking")
struct FloodWatchTests {
    private func connection(_ descriptor: Int32, _ number: UInt64 = 1) -> PeerConnection {
        PeerConnection(descriptor: descriptor, address: "", number: number)
    }

    @Test("unread bytes at every look: cut off at the last one; a pause between: never")
    func flood() {
        var watch = FloodWatch()
        var floods: [PeerConnection] = []
        for look in 1...FloodWatch.patience {
            #expect(floods.isEmpty, "look \(look)")
            floods = watch.look(arrived: [connection(5), connection(6)], worked: Double(look)) {
                $0.descriptor == 5 || look % 3 == 0
            }
        }
        #expect(floods == [connection(5)])
    }

    @Test("unread bytes while the broker has no turn on the processor: not cut off before it has")
    func starved() {
        var watch = FloodWatch()
        for look in 1...100 {
            let worked = Double(look) * FloodWatch.workPatience / 100
            let floods = watch.look(arrived: [connection(5)], worked: worked) { _ in true }
            #expect(floods.isEmpty, "look \(look)")
        }
        let worked = FloodWatch.workPatience * 1.02
        #expect(watch.look(arrived: [], worked: worked) { _ in true } == [connection(5)])
    }

    @Test("nobody says anything more: nothing is looked at")
    func quiet() {
        var watch = FloodWatch()
        let first = watch.look(arrived: [connection(5), connection(6)], worked: 1) { _ in true }
        let isBusy = watch.isBusy
        let second = watch.look(arrived: [], worked: 2) { _ in false }
        let isBusyLater = watch.isBusy
        #expect(first.isEmpty && second.isEmpty)
        #expect(isBusy && !isBusyLater)
    }

    @Test("another connection with the same descriptor: begins anew")
    func descriptorAgain() {
        var watch = FloodWatch()
        for number in UInt64(1)...20 {
            let floods = watch.look(arrived: [connection(5, number)], worked: Double(number)) {
                _ in true
            }
            #expect(floods.isEmpty)
        }
    }
}
