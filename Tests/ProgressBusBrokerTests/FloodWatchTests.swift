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
            floods = watch.look(arrived: [connection(5), connection(6)]) {
                $0.descriptor == 5 || look % 3 == 0
            }
        }
        #expect(floods == [connection(5)])
    }

    @Test("nobody says anything more: nothing is looked at")
    func quiet() {
        var watch = FloodWatch()
        let first = watch.look(arrived: [connection(5), connection(6)]) { _ in true }
        let isBusy = watch.isBusy
        let second = watch.look(arrived: []) { _ in false }
        let isBusyLater = watch.isBusy
        #expect(first.isEmpty && second.isEmpty)
        #expect(isBusy && !isBusyLater)
    }

    @Test("another connection with the same descriptor: begins anew")
    func descriptorAgain() {
        var watch = FloodWatch()
        for number in UInt64(1)...20 {
            let floods = watch.look(arrived: [connection(5, number)]) { _ in true }
            #expect(floods.isEmpty)
        }
    }
}
