#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import BusProtocol
import TaskTree
import ZeroMQ

/// The two sockets of a follower; belongs to one thread.
struct FollowerSockets: ~Copyable {
    private let control: ZeroMQSocket
    private var handshakes: HandshakeWatch
    /// Connected to nobody where a snapshot is all that is wanted.
    private let updates: ZeroMQSocket
    private let endpoint: BusEndpoint
    private let isOnce: Bool
    /// Messages taken in one go, so that commands are heard even under a flood.
    private static let batch = 2_000

    /// Opens and connects them; the connections come about when there is a broker.
    static func open(
        _ endpoint: BusEndpoint,
        in context: ZeroMQContext,
        isOnce: Bool
    ) throws(ZeroMQError) -> FollowerSockets {
        var control = try ZeroMQSocket(.dealer, in: context)
        let sockets = FollowerSockets(
            handshakes: try HandshakeWatch(&control, of: endpoint, in: context),
            control: control,
            updates: try ZeroMQSocket(.sub, in: context),
            endpoint: endpoint,
            isOnce: isOnce
        )
        try sockets.connect()
        return sockets
    }

    private init(
        handshakes: HandshakeWatch,
        control: consuming ZeroMQSocket,
        updates: consuming ZeroMQSocket,
        endpoint: BusEndpoint,
        isOnce: Bool
    ) {
        self.handshakes = handshakes
        self.control = control
        self.updates = updates
        self.endpoint = endpoint
        self.isOnce = isOnce
    }

    private borrowing func connect() throws(ZeroMQError) {
        // Nothing is queued for a broker that is not there, and a dead one's queue is dropped.
        try control.set(.immediate, to: 1)
        try Self.configure(control, for: endpoint)
        try control.connect(endpoint.controlAddress)
        guard !isOnce else { return }
        // Subscriptions are messages: with a limit, those beyond it would never arrive.
        try updates.set(.sendHighWaterMark, to: 0)
        try Self.configure(updates, for: endpoint)
        try updates.connect(endpoint.updatesAddress)
    }

    private static func configure(
        _ socket: borrowing ZeroMQSocket,
        for endpoint: BusEndpoint
    ) throws(ZeroMQError) {
        try socket.prepare(for: endpoint, reconnectMilliseconds: (50, 1_000))
    }

    /// Gives the machine what has arrived; returns how many bytes of updates that was.
    mutating func drain(into machine: inout FollowerMachine) throws(ZeroMQError) -> Int {
        var bytes = 0
        switch handshakes.trouble(of: control) {
        case .refused(let sentence): machine.link.fatal = FollowError(.refused, sentence)
        case .renewed(let membership):
            try control.connectAnew(to: endpoint.controlAddress, for: membership)
            // What it is subscribed to stays.
            if !isOnce { try updates.connectAnew(to: endpoint.updatesAddress, for: membership) }
        case nil: break
        }
        for _ in 0..<Self.batch {
            guard let parts = try? control.receive() else { break }
            // A malformed frame is dropped, so that a peer's mistake does not end this process.
            guard parts.count == 1 else { continue }
            do {
                let frame = try Frame.decodeBroker(parts[0])
                handshakes.hear(frame)
                machine.receive(frame, at: .present)
            } catch {
                if let major = error.major { machine.meet(major: major, error) }
            }
        }
        for _ in 0..<Self.batch {
            guard let parts = try? updates.receive() else { break }
            bytes += parts.reduce(0) { $0 + $1.count }
            guard parts.count == 2, let update = try? Frame.decodeUpdate(parts[1]) else { continue }
            machine.receive(topic: String(decoding: parts[0], as: UTF8.self), update, at: .present)
        }
        return bytes
    }

    /// Does what the machine decided.
    borrowing func perform(
        _ actions: [FollowerMachine.Action],
        machine: inout FollowerMachine,
        consumers: inout Consumers
    ) {
        for action in actions {
            switch action {
            case .subscribe(let topic):
                try? updates.subscribe(Array(topic.utf8))
            case .unsubscribe(let topic):
                try? updates.unsubscribe(Array(topic.utf8))
            case .send(let frame):
                let isSent = (try? control.send([Frame.encode(frame)])) ?? false
                if !isSent { machine.notSent(frame, at: .present) }
            case .answer(let id, let result):
                consumers.answer(id, result)
            }
        }
    }

    /// Waits until something arrives, a command comes from another thread, or the time is over.
    borrowing func wait(for wakeUp: WakeUp, seconds: Double) throws(ZeroMQError) {
        var items = [
            PollItem.descriptor(wakeUp.descriptor), control.pollItem, updates.pollItem,
        ]
        if let item = control.eventItem { items.append(item) }
        let milliseconds = Int((max(seconds, 0) * 1_000).rounded(.up))
        _ = try poll(&items, timeout: milliseconds)
        if items[0].isReadable { wakeUp.drain() }
    }

    /// Says the last word, if there is a connection to say it on.
    borrowing func leave(_ goodbye: WireClientFrame?) {
        guard let goodbye else { return }
        try? control.set(.linger, to: 50)
        _ = try? control.send([Frame.encode(goodbye)])
    }
}

extension FollowerMachine {
    /// A machine with a session of its own.
    static func starting(isOnce: Bool, at now: Moment) -> FollowerMachine {
        var hello = WireHello()
        hello.session = SessionID.random().rawValue
        hello.viewer = true
        hello.client = "progressbus-swift/" + ProgressBusVersion.text
        hello.process.host = ProcessInfo.processInfo.hostName
        hello.process.pid = Int64(ProcessInfo.processInfo.processIdentifier)
        hello.process.command = ProcessInfo.processInfo.processName
        return FollowerMachine(
            hello: hello,
            credential: SessionCredential.random().bytes,
            isOnce: isOnce,
            seed: .random(in: .min ... .max),
            at: now
        )
    }

    /// The broker speaks another major version: there is no way to go on.
    mutating func meet(major: UInt8, _ violation: ProtocolViolation) {
        link.fatal = FollowError(
            .refused,
            "the broker speaks protocol \(major), this program \(ProtocolVersion.major); "
                + "use programs of the same version"
        )
    }
}
