package import BusProtocol
import TaskTree
package import ZeroMQ

/// The two sockets of a session that reports; belongs to one thread.
package struct ReportingSockets: ~Copyable {
    private let reports: ZeroMQSocket
    private var control: ControlSocket
    private let endpoint: BusEndpoint
    /// Why the broker refuses this key; once set, these sockets are given up for others.
    private(set) var trouble: String?
    /// Messages taken in one go, so that the machine gets its turn under a flood.
    private static let batch = 256

    /// Milliseconds that a last goodbye may take while the socket closes.
    package static let linger: Int32 = 100
    // A restarted broker waits 2 s for the sessions that its journal knows. With pauses of more
    // than half a second between attempts they would be back too late.
    package static let reconnectMilliseconds: (first: Int32, longest: Int32) = (50, 500)

    /// Begins to connect; never waits.
    init(endpoint: BusEndpoint, in context: ZeroMQContext) throws(ZeroMQError) {
        let reports = try Self.connectReports(to: endpoint, in: context)
        let control = try ControlSocket(
            to: endpoint,
            in: context,
            reconnectMilliseconds: Self.reconnectMilliseconds,
            lingerMilliseconds: Self.linger
        )
        self.reports = reports
        self.control = control
        self.endpoint = endpoint
    }

    /// The socket for reports alone.
    package static func connectReports(
        to endpoint: BusEndpoint,
        in context: ZeroMQContext
    ) throws(ZeroMQError) -> ZeroMQSocket {
        let reports = try ZeroMQSocket(.xpub, in: context)
        // The machine conflates, so a short queue is enough: frames queued here are lost with the
        // connection.
        try reports.set(.sendHighWaterMark, to: 4)
        // With a full queue `send` fails, so that the machine keeps the news; by default the frame
        // would be dropped.
        try reports.set(.noDrop, to: 1)
        // Without this option a broker's restart is not seen, and frames queued for the dead broker
        // reach the new one.
        try reports.set(.immediate, to: 1)
        try reports.prepare(for: endpoint, reconnectMilliseconds: Self.reconnectMilliseconds)
        try reports.connect(endpoint.reportsAddress)
        return reports
    }

    /// Whether libzmq has taken the frame.
    func send(_ report: WireReport) -> Bool {
        (try? reports.send([Frame.encode(report)])) ?? false
    }

    /// Whether libzmq has taken the frame.
    func send(_ frame: WireClientFrame) -> Bool { control.send(frame) }

    /// Waits for a message, a wake-up, or until the time is over.
    mutating func wait(for wakeUp: WakeUp?, milliseconds: Int) throws(ZeroMQError) {
        var items = [reports.pollItem] + control.pollItems
        if let wakeUp { items.append(.descriptor(wakeUp.descriptor)) }
        _ = try poll(&items, timeout: milliseconds)
        if let wakeUp, items.last?.isReadable == true { wakeUp.drain() }
        switch try control.trouble() {
        case .refused(let sentence): trouble = trouble ?? sentence
        case .renewed(let membership):
            try reports.connectAnew(to: endpoint.reportsAddress, for: membership)
        case nil: break
        }
    }

    /// Gives the machine what has arrived.
    mutating func drain(into arrived: ((inout ReportingMachine, Moment) -> Void) -> Void) {
        for _ in 0..<Self.batch {
            guard let parts = try? reports.receive() else { break }
            switch parts.first?.first {
            case 1: arrived { $0.subscribed(at: $1) }
            case 0: arrived { $0.unsubscribed(at: $1) }
            default: break
            }
        }
        for _ in 0..<Self.batch {
            guard let received = control.receive() else { break }
            switch received {
            case .success(let frame):
                if endpoint.membership != nil, case .refusal(let refusal) = frame.body,
                    refusal.isOfMember
                {
                    trouble = refusal.sentence
                }
                arrived { $0.received(frame, at: $1) }
            case .failure(let violation): arrived { machine, _ in machine.met(violation) }
            }
        }
    }
}

extension WireRefusal {
    /// Whether the refusal is about the member that sends, and not about what a frame says.
    package var isOfMember: Bool {
        code == RefusalCode.notPermitted.rawValue && request == 0 && index == 0
    }
}
