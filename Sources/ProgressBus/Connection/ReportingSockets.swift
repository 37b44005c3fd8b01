import BusProtocol
import TaskTree
import ZeroMQ

/// The two sockets of a session that reports; belongs to one thread.
struct ReportingSockets: ~Copyable {
    private let reports: ZeroMQSocket
    private let control: ZeroMQSocket
    private var handshakes: HandshakeWatch
    private let endpoint: BusEndpoint
    /// Why the broker does not let this key in, or not any more: other sockets are to be opened.
    private(set) var trouble: String?
    /// Messages taken in one go, so that the machine gets its turn under a flood.
    private static let batch = 256

    /// Milliseconds that a last goodbye may take.
    private static let linger: Int32 = 100

    /// Begins to connect; never waits.
    init(endpoint: BusEndpoint, in context: ZeroMQContext) throws(ZeroMQError) {
        let reports = try ZeroMQSocket(.xpub, in: context)
        // Conflation happens in the machine; what is queued here would die with a slow broker.
        try reports.set(.sendHighWaterMark, to: 4)
        // A full queue is said (and the tasks stay marked) instead of dropped over.
        try reports.set(.noDrop, to: 1)
        try Self.configure(reports, for: endpoint)
        var control = try ZeroMQSocket(.dealer, in: context)
        // A last goodbye may go out while the socket closes. Without a connection nothing is queued
        // (ZMQ_IMMEDIATE), so that nothing lingers either.
        try control.set(.linger, to: Self.linger)
        try Self.configure(control, for: endpoint)
        let handshakes = try HandshakeWatch(&control, of: endpoint, in: context)
        try reports.connect(endpoint.reportsAddress)
        try control.connect(endpoint.controlAddress)
        self.reports = reports
        self.control = control
        self.handshakes = handshakes
        self.endpoint = endpoint
    }

    private static func configure(
        _ socket: borrowing ZeroMQSocket,
        for endpoint: BusEndpoint
    ) throws(ZeroMQError) {
        // Without it a broker's restart is not seen, and what was queued for the dead one is
        // delivered to the new one.
        try socket.set(.immediate, to: 1)
        // A restarted broker waits 2 s for the sessions that its journal knows. With a longer pause
        // than half a second between attempts they would be back too late for it.
        try socket.prepare(for: endpoint, reconnectMilliseconds: (50, 500))
    }

    /// Whether libzmq has taken the frame.
    func send(_ report: WireReport) -> Bool {
        // Errors are those of a context or socket that is gone: as good as a full queue.
        (try? reports.send([Frame.encode(report)])) ?? false
    }

    /// Whether libzmq has taken the frame.
    func send(_ frame: WireClientFrame) -> Bool {
        (try? control.send([Frame.encode(frame)])) ?? false
    }

    /// Waits for a message, a wake-up, or until the time is over; whether a message is there.
    mutating func wait(for wakeUp: WakeUp?, milliseconds: Int) throws(ZeroMQError) -> Bool {
        var items = [reports.pollItem, control.pollItem]
        if let wakeUp { items.append(.descriptor(wakeUp.descriptor)) }
        if let item = control.eventItem { items.append(item) }
        _ = try poll(&items, timeout: milliseconds)
        if let wakeUp, items[2].isReadable { wakeUp.drain() }
        switch handshakes.trouble(of: control) {
        case .refused(let sentence): trouble = trouble ?? sentence
        case .renewed(let membership):
            try reports.connectAnew(to: endpoint.reportsAddress, for: membership)
            try control.connectAnew(to: endpoint.controlAddress, for: membership)
        case nil: break
        }
        return items[0].isReadable || items[1].isReadable
    }

    /// Gives the machine's owner what has arrived.
    mutating func drain(_ handle: (Arrival) -> Void) {
        for _ in 0..<Self.batch {
            guard let parts = try? reports.receive() else { break }
            switch parts.first?.first {
            case 1: handle(.subscribed)
            case 0: handle(.unsubscribed)
            default: break
            }
        }
        for _ in 0..<Self.batch {
            guard let parts = try? control.receive() else { break }
            // A malformed frame is dropped, so that a peer's mistake does not end this process.
            guard parts.count == 1 else { continue }
            do throws(ProtocolViolation) {
                let frame = try Frame.decodeBroker(parts[0])
                handshakes.hear(frame)
                if endpoint.membership != nil, case .refusal(let refusal) = frame.body,
                    refusal.isOfMember
                {
                    trouble = refusal.sentence
                }
                handle(.frame(frame))
            } catch {
                handle(.violation(error))
            }
        }
    }

    /// Something that a socket has brought.
    enum Arrival {
        case subscribed
        case unsubscribed
        case frame(WireBrokerFrame)
        case violation(ProtocolViolation)
    }
}

extension WireRefusal {
    /// Whether it is about who says something, not about what is said.
    var isOfMember: Bool {
        code == RefusalCode.notPermitted.rawValue && request == 0 && index == 0
    }
}
