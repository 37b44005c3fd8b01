import BusProtocol
import ProgressBus
import TaskTree
import ZeroMQ

/// The sockets of a relay, and the loop that moves frames between them; belongs to one thread.
///
/// It binds a ROUTER and a SUB without keys, as a broker does. With this member's keys, it connects
/// to the broker: one socket for all reports, and a DEALER for each peer, so that the broker can
/// tell the peers apart.
final class RelayLoop {
    private final class Peer {
        var control: ControlSocket
        /// The last frame that could not be sent to the broker yet.
        var waiting: WireClientFrame?

        init(of bus: BusEndpoint, in context: ZeroMQContext) throws(ZeroMQError) {
            control = try ControlSocket(
                to: bus,
                in: context,
                reconnectMilliseconds: ReportingSockets.reconnectMilliseconds,
                lingerMilliseconds: ReportingSockets.linger,
                queue: RelayLoop.queue
            )
        }
    }

    /// The most frames in a queue of libzmq, so that the other machine cannot fill the memory.
    private static let queue: Int32 = 4
    /// The most frames of one source that are relayed in one go.
    private static let batch = 64
    /// Milliseconds until the machine checks the time, and until a report is sent again.
    private static let wait = (longest: 5_000, again: 10)

    private let context: ZeroMQContext
    private let control: ZeroMQSocket
    private let reports: ZeroMQSocket
    /// A viewer's socket cannot speak with a SUB; without one, ssh would complain of each attempt.
    private let updates: ZeroMQSocket
    private var bus: BusEndpoint
    private var toBroker: ZeroMQSocket
    /// Whether the broker has subscribed to reports, and the relay to those of the other machine.
    private var isSubscribed = false
    /// A report that could not be sent on yet.
    private var report: [UInt8]?
    private var peers: [RelayMachine.Route: Peer] = [:]
    private var machine = RelayMachine()

    /// Binds the sockets of `endpoint` and connects to the broker of `bus`.
    init(at endpoint: BusEndpoint, for bus: BusEndpoint) throws(ZeroMQError) {
        let context = try ZeroMQContext()
        let control = try Self.bind(.router, to: endpoint.controlAddress, in: context)
        let reports = try Self.bind(.sub, to: endpoint.reportsAddress, in: context)
        let updates = try Self.bind(.sub, to: endpoint.updatesAddress, in: context)
        let toBroker = try ReportingSockets.connectReports(to: bus, in: context)
        (self.context, self.bus) = (context, bus)
        self.control = control
        self.reports = reports
        self.updates = updates
        self.toBroker = toBroker
    }

    private static func bind(
        _ kind: SocketKind,
        to address: String,
        in context: ZeroMQContext
    ) throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(kind, in: context)
        // As the broker's own, see `BrokerSockets`.
        try socket.set(.handshakeInterval, to: 3_000)
        try socket.set(.maximumMessageSize, to: Int32(ProtocolLimits.clientFrameBytes))
        try socket.set(.receiveHighWaterMark, to: queue)
        if kind == .router {
            try socket.set(.mandatory, to: 1)
            try socket.set(.sendHighWaterMark, to: 64)
        }
        try socket.bind(address)
        return socket
    }

    /// Relays until the wake-up is signalled.
    func run(until end: WakeUp) throws(ZeroMQError) {
        while try !waitForFrames(end) {
            relayReports()
            for (route, peer) in peers { relayAnswers(to: route, of: peer) }
            for _ in 0..<Self.batch {
                guard let parts = try? control.receive() else { break }
                guard parts.count == 2 else { continue }
                perform(machine.take(parts[1], from: parts[0], at: .present))
            }
            perform(machine.lookAtTime(.present))
        }
    }

    /// Waits for frames; returns whether the relay is to end.
    private func waitForFrames(_ end: WakeUp) throws(ZeroMQError) -> Bool {
        var items = [.descriptor(end.descriptor), control.pollItem, toBroker.pollItem]
        for peer in peers.values { items += peer.control.pollItems }
        var source = [reports.pollItem]
        if report == nil { items += source }
        _ = try poll(&items, timeout: report == nil ? Self.wait.longest : Self.wait.again)
        // Polls the SUB also while no report is wanted: this tells new peers of its subscription.
        if report != nil { _ = try poll(&source, timeout: 0) }
        return items[0].isReadable
    }

    /// Relays the broker's subscription to the other machine, and reports to the broker.
    ///
    /// Without a subscription the broker is away, which the reporters see by it.
    private func relayReports() {
        while let parts = try? toBroker.receive() {
            if let first = parts.first?.first { subscribe(first == 1) }
        }
        for _ in 0..<Self.batch {
            if report == nil {
                guard let parts = try? reports.receive() else { return }
                guard parts.count == 1 else { continue }
                report = parts[0]
            }
            if let report, (try? toBroker.send([report])) != true { return }
            report = nil
        }
    }

    private func subscribe(_ isSubscribed: Bool) {
        guard isSubscribed != self.isSubscribed else { return }
        self.isSubscribed = isSubscribed
        if isSubscribed {
            try? reports.subscribe(FrameHeader.magic)
        } else {
            try? reports.unsubscribe(FrameHeader.magic)
            report = nil
        }
    }

    private func relayAnswers(to route: RelayMachine.Route, of peer: Peer) {
        switch try? peer.control.trouble() {
        case .refused(let sentence):
            return perform(machine.notLetIn(sentence, for: route, at: .present))
        case .renewed(let membership):
            if let renewed = try? BusEndpoint(membership) { reportTo(renewed) }
        case nil: break
        }
        if let frame = peer.waiting { send(frame, from: peer) }
        for _ in 0..<Self.batch {
            guard case .success(let frame)? = peer.control.receive() else { break }
            perform(machine.take(frame, for: route, at: .present))
        }
    }

    private func send(_ frame: WireClientFrame, from peer: Peer) {
        // The first frame comes before the connection is made; a peer without an answer sends
        // again.
        peer.waiting = peer.control.send(frame) ? nil : frame
    }

    private func perform(_ actions: [RelayMachine.Action]) {
        for action in actions {
            switch action {
            case .open(let route):
                // The keys may have been renewed, or this user may have joined the bus anew.
                reportTo(bus.current() ?? bus)
                peers[route] = try? Peer(of: bus, in: context)
                if peers[route] == nil { perform(machine.gone(route)) }
            case .pass(let frame, let route):
                if let peer = peers[route] { send(frame, from: peer) }
            case .answer(let frame, let route):
                // A peer asks again for an answer for which its queue has no room.
                do throws(ZeroMQError) {
                    _ = try control.send([route, Frame.encode(frame)])
                } catch {
                    perform(machine.gone(route))
                }
            case .close(let route):
                peers[route] = nil
            }
        }
    }

    /// Connects anew if the endpoint has other keys.
    private func reportTo(_ endpoint: BusEndpoint) {
        guard endpoint != bus else { return }
        do throws(ZeroMQError) {
            toBroker = try ReportingSockets.connectReports(to: endpoint, in: context)
        } catch {
            // No descriptor is left; the next peer tries it again.
            return
        }
        bus = endpoint
        subscribe(false)
    }
}
