import BrokerCore
import BusProtocol
import FleetCore
import ProgressBus
import TaskTree

/// A host of a fleet: its broker, the bridge beside it, and the sessions that work there.
///
/// All of them are those that users run, without sockets, disk and NATS.
struct WholeHost {
    let number: UInt64
    private(set) var broker: BrokerMachine
    private(set) var bridge: FleetMachine
    private(set) var journal: [JournalEntry] = []
    private(set) var warnings: [String] = []
    private var sessions: [UInt32: DirectSession] = [:]
    private var viewer: DirectViewer?
    private var pages: [Int] = []
    /// What the bridge subscribes to.
    private var topics: Set<Topic> = []
    private var epoch: UInt64 = 1
    private var unixOffset: Double

    private static let (bridgeRoute, viewerRoute) = (UInt32(1) << 30, UInt32(1) << 31)

    init(number: UInt64, at now: Moment, unixOffset: Double) {
        self.number = number
        self.unixOffset = unixOffset
        broker = Self.broker(epoch: epoch, number, [], at: now, unixOffset)
        bridge = Self.bridge(number, pages: [], at: now)
    }

    private static func broker(
        epoch: UInt64,
        _ number: UInt64,
        _ journal: [JournalEntry],
        at now: Moment,
        _ unixOffset: Double
    ) -> BrokerMachine {
        var configuration = CoreConfiguration()
        // What has ended stays, so that it can be compared.
        configuration.linger = 100_000
        configuration.neverBegunAfter = 100_000
        return BrokerMachine(
            configuration: configuration,
            epoch: epoch,
            ownSession: SessionID(rawValue: 7_000 + number),
            journal: JournalEntry.compact(journal),
            now: now,
            unixTime: unixOffset + Double(now.nanoseconds) / 1e9
        )
    }

    private static func bridge(_ number: UInt64, pages: [Int], at now: Moment) -> FleetMachine {
        var hello = WireHello()
        hello.session = 8_000 + number
        hello.viewer = true
        let credential = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16)
        return FleetMachine(
            broker: number,
            host: "host-\(number)",
            pages: pages,
            hello: hello,
            credential: credential,
            at: now
        )
    }

    func unixTime(at now: Moment) -> Double { unixOffset + Double(now.nanoseconds) / 1e9 }

    // MARK: What happens to it

    mutating func add(_ session: DirectSession, number: UInt32) { sessions[number] = session }

    /// The process of a session is killed: nothing is heard of it any more.
    mutating func kill(_ number: UInt32) { sessions[number] = nil }

    /// The broker is killed, and begins again with what it had on disk.
    mutating func restartBroker(at now: Moment) {
        epoch += 1
        broker = Self.broker(epoch: epoch, number, journal, at: now, unixOffset)
        for topic in topics.sorted(by: { $0.name < $1.name }) { subscribe(topic, true, at: now) }
    }

    /// The bridge is killed, and begins again with the pages that it had in its file.
    mutating func restartBridge(at now: Moment) {
        for topic in topics.sorted(by: { $0.name < $1.name }) { subscribe(topic, false, at: now) }
        topics = []
        bridge = Self.bridge(number, pages: pages, at: now)
    }

    mutating func tellBridge(_ event: FleetMachine.Event, at now: Moment) {
        bridge.receive(event, at: now, unixTime: unixTime(at: now))
    }

    mutating func tick(at now: Moment) {
        perform(broker.tick(now: now, unixTime: unixTime(at: now)), at: now)
        bridge.tick(at: now, unixTime: unixTime(at: now))
    }

    /// Lets all processes of the host say what they have to; what is for NATS is returned.
    mutating func serve(at now: Moment) -> [FleetMachine.Action] {
        var forNATS: [FleetMachine.Action] = []
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for (number, session) in sessions.sorted(by: { $0.key < $1.key }) {
                while let frame = session.next() {
                    isQuiet = false
                    switch frame {
                    case .report(let report): perform(broker.receive(report, now: now), at: now)
                    case .control(let frame): take(frame, from: number, at: now)
                    }
                }
            }
            // Once it has its answer it has said goodbye.
            for frame in viewer?.answer == nil ? viewer?.frames(at: now) ?? [] : [] {
                isQuiet = false
                take(frame, from: Self.viewerRoute, at: now)
            }
            for action in bridge.takeActions() {
                isQuiet = false
                switch action {
                case .subscribe(let topic):
                    topics.insert(topic)
                    subscribe(topic, true, at: now)
                case .unsubscribe(let topic):
                    topics.remove(topic)
                    subscribe(topic, false, at: now)
                case .send(let frame): take(frame, from: Self.bridgeRoute, at: now)
                case .save(let pages): self.pages = pages
                case .warn(let sentence): warnings.append(sentence)
                case .put, .claim, .publish, .read: forNATS.append(action)
                }
            }
        }
        return forNATS
    }

    private mutating func subscribe(_ topic: Topic, _ isOn: Bool, at now: Moment) {
        let name = Array(topic.name.utf8)
        perform(broker.subscriptionChanged(topic: name, subscribed: isOn, now: now), at: now)
    }

    private mutating func take(_ frame: WireClientFrame, from number: UInt32, at now: Moment) {
        let route = Route(bytes: withUnsafeBytes(of: number.bigEndian) { Array($0) })
        perform(broker.receive(frame, from: route, now: now), at: now)
    }

    private mutating func perform(_ actions: [BrokerAction], at now: Moment) {
        for action in actions {
            switch action {
            case .send(let route, let frame):
                switch route.bytes.reduce(UInt32(0), { $0 << 8 | UInt32($1) }) {
                case Self.bridgeRoute: tellBridge(.frame(frame), at: now)
                case Self.viewerRoute: viewer?.receive(frame, at: now)
                case let number: sessions[number]?.receive(frame)
                }
            case .publish(let name, let update):
                guard let topic = Topic(name: name), topics.contains(topic) else { continue }
                tellBridge(.update(topic, update), at: now)
            case .journal(let batch, let entries):
                journal += entries
                perform(broker.journalled(batch: batch, now: now), at: now)
            case .spooled, .watch, .examine, .unwatch, .log: break
            }
        }
    }

    // MARK: What is seen there

    /// Somebody begins to look at all that the broker shows.
    mutating func look(at now: Moment) { viewer = DirectViewer(.board, at: now) }

    /// What they see, once all of it is there.
    var seen: [TaskSnapshot]? {
        guard case .board(let board)? = viewer?.answer else { return nil }
        return board.jobs
    }
}
