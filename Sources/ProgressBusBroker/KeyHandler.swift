import BusProtocol
import Logging
import TaskTree
import ZeroMQ

/// Tells libzmq which keys are let in, and cuts off addresses that have been refused too often.
///
/// To be started before the sockets are bound, and stopped after they have closed.
struct KeyHandler: Sendable {
    /// Seconds between two lines about what was refused.
    private static let silence = 10.0

    let access: AccessKeeper
    let sockets: BrokerSockets
    let logger: Logger

    func start() throws(ZeroMQError) -> BrokerThread {
        try BrokerThread("keys", wake: WakeUp()) { run($0) }
    }

    private func run(_ thread: BrokerThread) {
        do {
            let questions = try KeyHandlerSocket(in: sockets.context)
            let control = try sockets.listen(to: 0)
            let updates = try sockets.listen(to: 1)
            let reports = try sockets.listen(to: 2)
            thread.begin()
            var items = [
                .descriptor(thread.wake.descriptor), questions.pollItem, control.pollItem,
                updates.pollItem, reports.pollItem,
            ]
            var said = (count: UInt64(0), at: Clocks.now)
            while !thread.isStopping {
                let isUnsaid = access.refusedCount != said.count
                _ = try poll(&items, timeout: isUnsaid ? Int(Self.silence * 1_000) : -1)
                thread.wake.drain()
                try cutHeldOff(control)
                try cutHeldOff(updates)
                try cutHeldOff(reports)
                while let request = try questions.receive() {
                    let key = BusKey(request.key)
                    let door = AccessDoor(rawValue: request.domain)
                    let isAdmitted =
                        door.map { access.admits(key, from: request.address, at: $0) } ?? false
                    try questions.answer(request, user: isAdmitted ? key?.text : nil)
                }
                say(&said)
            }
        } catch {
            // Without an answer nobody is let in any more.
            logger.error("keys are no longer looked at", metadata: ["why": "\(error)"])
            thread.begin(error)
        }
    }

    /// Cuts new connections of addresses that are held off.
    ///
    /// That is before the handshake, which costs a millisecond of processor time.
    private func cutHeldOff(_ socket: borrowing ZeroMQSocket) throws(ZeroMQError) {
        while let (event, descriptor) = try socket.receiveEvent() {
            guard event == .accepted, let address = PeerConnection.host(at: descriptor),
                access.holdsOff(address)
            else { continue }
            PeerConnection(descriptor: descriptor).cut()
        }
    }

    private func say(_ said: inout (count: UInt64, at: Moment)) {
        let count = access.refusedCount
        let now = Clocks.now
        guard count != said.count, said.count == 0 || now.seconds(since: said.at) >= Self.silence
        else { return }
        logger.warning(
            "refused to let in; `progressbus members` says from where",
            metadata: ["count": "\(count - said.count)", "all": "\(count)"]
        )
        said = (count, now)
    }
}
