import BusProtocol
import CLibrary
import Essentials
import FleetCore
import Logging
import ProgressBus
import TaskTree
import ZeroMQ

/// The one thread of a bridge: sockets to the broker, the inbox of NATS, the machine between them.
struct BridgeLoop: ~Copyable {
    private var control: ControlSocket
    private let updates: ZeroMQSocket
    /// `nil` if the connection could not be made; the inbox then has the reason.
    private let nats: NATSConnection?
    private let inbox: NATSInbox
    private var machine: FleetMachine
    private var file: FleetFile
    private let logger: Logger
    /// Seconds between two ticks.
    ///
    /// Pages, slots and beats of other hosts wait for the next tick: with a thousand hosts, they
    /// would wake the bridge all the time.
    private static let tickEvery = 0.025
    private static let batch = 2_000
    /// Seconds for which the bridge goes on, to tell the broker why the connection to NATS was
    /// closed for good.
    private static let farewell = 1.0

    init(
        endpoint: BusEndpoint,
        nats: NATSConnection?,
        inbox: NATSInbox,
        file: FleetFile,
        host: String?,
        logger: Logger
    ) throws(ZeroMQError) {
        let context = try ZeroMQContext()
        let reconnect: (first: Int32, longest: Int32) = (50, 1_000)
        let control = try ControlSocket(
            to: endpoint,
            in: context,
            reconnectMilliseconds: reconnect,
            lingerMilliseconds: 50
        )
        let updates = try ZeroMQSocket(.sub, in: context)
        // Subscriptions are messages: with a limit, those beyond it would never arrive.
        try updates.set(.sendHighWaterMark, to: 0)
        try updates.prepare(for: endpoint, reconnectMilliseconds: reconnect)
        try updates.connect(endpoint.updatesAddress)
        self.control = control
        self.updates = updates
        self.nats = nats
        self.inbox = inbox
        self.file = file
        self.logger = logger
        let hello = WireHello.ofViewer()
        machine = FleetMachine(
            broker: file.broker,
            host: host ?? hello.process.host,
            pages: file.pages,
            hello: hello,
            credential: SessionCredential.random().bytes,
            at: .present
        )
    }

    /// Works until a socket fails, the connection to NATS is closed for good, or the descriptor
    /// `input` ends.
    mutating func run(endWith input: Int32?) throws(ZeroMQError) {
        var tick = Moment.present
        var end: Moment?
        while end.map({ Moment.present < $0 }) ?? true {
            if end == nil, inbox.isClosed { end = .present.advanced(bySeconds: Self.farewell) }
            take()
            let now = Moment.present
            if tick <= now {
                tick = now.advanced(bySeconds: Self.tickEvery)
                machine.tick(at: now, unixTime: Self.unixTime)
            }
            perform(machine.takeActions())
            var items = control.pollItems
            items += [updates.pollItem, .descriptor(inbox.wakeUp.descriptor)]
            if let input { items.append(.descriptor(input)) }
            _ = try poll(&items, timeout: tick.milliseconds(since: .present))
            if let input, items.last?.isReadable == true, Self.isAtEnd(input) { return }
        }
    }

    /// Whether a descriptor has ended; discards the bytes that it reads to find out.
    private static func isAtEnd(_ descriptor: Int32) -> Bool {
        var bytes = (UInt64(0), UInt64(0))
        let count = withUnsafeMutableBytes(of: &bytes) {
            read(descriptor, $0.baseAddress, $0.count)
        }
        return count == 0 || count < 0 && errno != EINTR && errno != EAGAIN
    }

    private static var unixTime: Double { Date().timeIntervalSince1970 }

    /// Takes the events of the inbox, and the broker's frames and updates.
    private mutating func take() {
        for event in inbox.takeAll() {
            if case .connected = event { logger.notice("NATS is reached") }
            receive(event)
        }
        for _ in 0..<Self.batch {
            guard let received = control.receive() else { break }
            switch received {
            case .success(let frame): receive(.frame(frame))
            case .failure(let violation): logger.warning("\(violation.sentence)")
            }
        }
        for _ in 0..<Self.batch {
            guard let parts = try? updates.receive() else { break }
            guard parts.count == 2, let update = try? Frame.decodeUpdate(parts[1]),
                let topic = Topic(name: String(decoding: parts[0], as: UTF8.self))
            else { continue }
            receive(.update(topic, update))
        }
    }

    private mutating func receive(_ event: FleetMachine.Event) {
        machine.receive(event, at: .present, unixTime: Self.unixTime)
    }

    private mutating func perform(_ actions: [FleetMachine.Action]) {
        for action in actions {
            switch action {
            case .subscribe(let topic): try? updates.subscribe(Array(topic.name.utf8))
            case .unsubscribe(let topic): try? updates.unsubscribe(Array(topic.name.utf8))
            case .send(let frame):
                if !control.send(frame) { receive(.notSent) }
            case .put(let subject, let record):
                nats?.put(subject, Frame.encode(record), isFirst: false)
            case .claim(let subject, let record):
                nats?.put(subject, Frame.encode(record), isFirst: true)
            case .publish(let subject, let record): nats?.publish(subject, Frame.encode(record))
            case .read: readStream()
            case .save(let pages): save(pages)
            case .warn(let sentence): logger.warning("\(sentence)")
            }
        }
    }

    /// Reads the stream on a thread of its own, as reading waits for NATS.
    private func readStream() {
        guard let nats else { return }
        let inbox = inbox
        do {
            _ = try startThread(name: "fleet-read") {
                do {
                    try nats.readAll()
                    inbox.add(.wasRead)
                } catch {
                    inbox.warn("what NATS keeps cannot be read: \(error)")
                    inbox.add(.readFailed)
                }
            }
        } catch {
            inbox.add(.readFailed)
        }
    }

    private mutating func save(_ pages: [Int]) {
        do throws(PrivateFile.Failure) {
            try file.save(pages: pages)
        } catch {
            logger.warning("which pages this broker has is not remembered: \(error)")
        }
    }
}
