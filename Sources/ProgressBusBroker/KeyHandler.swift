import BusProtocol
import Logging
import Synchronization
import TaskTree
import ZeroMQ

/// The thread that tells libzmq which keys are let in, and cuts off addresses that have been
/// refused too often.
///
/// To be started before the sockets are bound, and stopped after they have closed.
final class KeyHandler: Sendable {
    /// Seconds between two lines about what was refused.
    private static let silence = 10.0

    private let access: AccessKeeper
    private let context: ZeroMQContext
    private let logger: Logger
    private let wake: WakeUp
    private let isStopping = Atomic(false)
    private let thread = Mutex<ThreadHandle?>(nil)

    private init(
        _ access: AccessKeeper,
        context: ZeroMQContext,
        logger: Logger
    ) throws(ZeroMQError) {
        self.access = access
        self.context = context
        self.logger = logger
        wake = try WakeUp()
    }

    static func start(
        _ access: AccessKeeper,
        context: ZeroMQContext,
        logger: Logger
    ) throws(ZeroMQError) -> KeyHandler {
        let handler = try KeyHandler(access, context: context, logger: logger)
        let begun = Answer()
        let thread = try startThread(name: "keys") { handler.run(begun) }
        handler.thread.withLock { $0 = thread }
        try begun.wait()
        return handler
    }

    /// Ends the thread.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        wake.signal()
        thread.withLock { $0 }?.join()
    }

    private func run(_ begun: Answer) {
        do {
            let questions = try KeyHandlerSocket(in: context)
            let control = try listen(at: BrokerSockets.announcements[0])
            let updates = try listen(at: BrokerSockets.announcements[1])
            let reports = try listen(at: BrokerSockets.announcements[2])
            begun.give(nil)
            var items = [
                .descriptor(wake.descriptor), questions.pollItem, control.pollItem,
                updates.pollItem, reports.pollItem,
            ]
            var said = (count: UInt64(0), at: Clocks.now)
            while !isStopping.load(ordering: .acquiring) {
                let isUnsaid = access.refusedCount != said.count
                _ = try poll(&items, timeout: isUnsaid ? Int(Self.silence * 1_000) : -1)
                wake.drain()
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
            begun.give(error)
        }
    }

    private func listen(at address: String) throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.pair, in: context)
        // 0 is no limit: libzmq's thread would wait at one. A descriptor bounds what comes.
        try socket.set(.receiveHighWaterMark, to: 0)
        try socket.connect(address)
        return socket
    }

    /// Before the handshake, which costs a millisecond of processor time.
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
