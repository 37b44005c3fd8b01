package import BusProtocol
import Essentials
import TaskTree
import ZeroMQ

/// The two sockets of a follower; belongs to one thread.
struct FollowerSockets: ~Copyable {
    private var control: ControlSocket
    /// The updates socket; it stays unconnected if only snapshots are wanted.
    private let updates: ZeroMQSocket
    private let endpoint: BusEndpoint
    private let isOnce: Bool
    /// Messages taken in one go, so that commands are heard even under a flood.
    private static let batch = 2_000
    private static let reconnectMilliseconds: (first: Int32, longest: Int32) = (50, 1_000)

    /// Opens both sockets; they connect as soon as there is a broker.
    init(
        to endpoint: BusEndpoint,
        in context: ZeroMQContext,
        isOnce: Bool
    ) throws(ZeroMQError) {
        let control = try ControlSocket(
            to: endpoint,
            in: context,
            reconnectMilliseconds: Self.reconnectMilliseconds,
            lingerMilliseconds: 50
        )
        let updates = try ZeroMQSocket(.sub, in: context)
        if !isOnce {
            // Subscriptions are messages: with a limit, those beyond it would never arrive.
            try updates.set(.sendHighWaterMark, to: 0)
            try updates.prepare(for: endpoint, reconnectMilliseconds: Self.reconnectMilliseconds)
            try updates.connect(endpoint.updatesAddress)
        }
        self.control = control
        self.updates = updates
        self.endpoint = endpoint
        self.isOnce = isOnce
    }

    /// Gives the machine what has arrived; returns how many bytes of updates that was.
    mutating func drain(into machine: inout FollowerMachine) throws(ZeroMQError) -> Int {
        var bytes = 0
        switch try control.trouble() {
        case .refused(let sentence): machine.link.fatal = FollowError(.refused, sentence)
        case .renewed(let membership):
            // The subscriptions stay.
            if !isOnce { try updates.connectAnew(to: endpoint.updatesAddress, for: membership) }
        case nil: break
        }
        for _ in 0..<Self.batch {
            guard let received = control.receive() else { break }
            switch received {
            case .success(let frame): machine.receive(frame, at: .present)
            case .failure(let violation): machine.meet(violation)
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
        for consumers: inout Consumers
    ) {
        for action in actions {
            switch action {
            case .subscribe(let topic):
                try? updates.subscribe(Array(topic.utf8))
            case .unsubscribe(let topic):
                try? updates.unsubscribe(Array(topic.utf8))
            case .send(let frame):
                if !control.send(frame) { consumers.machine.notSent(frame, at: .present) }
            case .answer(let id, let result):
                consumers.answer(id, result)
            }
        }
    }

    /// Waits until something arrives, a command comes from another thread, or the time is over.
    borrowing func wait(for wakeUp: WakeUp, milliseconds: Int) throws(ZeroMQError) {
        var items = control.pollItems
        items += [updates.pollItem, .descriptor(wakeUp.descriptor)]
        _ = try poll(&items, timeout: milliseconds)
        if items.last?.isReadable == true { wakeUp.drain() }
    }

    /// Says the last word, if there is a connection to say it on.
    borrowing func leave(_ goodbye: WireClientFrame?) {
        if let goodbye { _ = control.send(goodbye) }
    }
}

extension WireHello {
    /// The hello of a new session of this process that is a viewer.
    package static func ofViewer() -> WireHello {
        var hello = WireHello()
        hello.session = SessionID.random().rawValue
        hello.viewer = true
        hello.client = "progressbus-swift/" + ProgressBusVersion.text
        hello.process.host = ProcessInfo.processInfo.hostName
        hello.process.pid = Int64(ProcessInfo.processInfo.processIdentifier)
        hello.process.command = ProcessInfo.processInfo.processName
        return hello
    }
}
