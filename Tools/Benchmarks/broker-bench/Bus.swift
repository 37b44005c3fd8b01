import BrokerCore
import BusProtocol
import TaskTree

/// A machine with its clock; journal entries are on disk at once.
struct Bus {
    private(set) var machine: BrokerMachine
    private(set) var now = Moment(nanoseconds: 1_000_000_000_000)
    /// Frames the machine wanted to send or publish since somebody last asked.
    private(set) var sent: [WireBrokerFrame] = []
    private(set) var published = 0
    private var unixTime: Double { 1.7e9 + Double(now.nanoseconds) / 1e9 }

    init() {
        var configuration = CoreConfiguration()
        // One session may hold the whole tree here, and begin it within a second.
        configuration.tasksPerSession = 4_000_000
        configuration.textPerSecond = .max
        machine = BrokerMachine(
            configuration: configuration,
            epoch: 1,
            ownSession: SessionID(rawValue: 0xFFFF),
            now: now,
            unixTime: 1.7e9
        )
    }

    mutating func pass(seconds: Double) {
        now = now.advanced(bySeconds: seconds)
    }

    /// One tick, as long after the last one as the broker's are.
    mutating func tick() {
        pass(seconds: 0.05)
        perform(machine.tick(now: now, unixTime: unixTime))
    }

    /// Decodes a frame of the reports socket and takes it in.
    mutating func report(_ frame: [UInt8]) {
        do {
            perform(machine.receive(try Frame.decodeReport(frame), now: now))
        } catch {
            // The frames are made here: one that is refused is a mistake of the bench.
            fatalError("a frame of the bench is refused: \(error)")
        }
    }

    /// Decodes a frame of the control socket and takes it in.
    mutating func control(_ frame: [UInt8], from route: Route) {
        do {
            perform(machine.receive(try Frame.decodeClient(frame), from: route, now: now))
        } catch {
            // The frames are made here: one that is refused is a mistake of the bench.
            fatalError("a frame of the bench is refused: \(error)")
        }
    }

    /// Takes in a file of the spool.
    mutating func collect(_ file: SpoolFile, number: UInt64) {
        perform(machine.collect(file, number: number, now: now))
    }

    mutating func subscribe(_ topic: String) {
        perform(machine.subscriptionChanged(topic: Array(topic.utf8), subscribed: true, now: now))
    }

    /// What was sent to anybody since the last call.
    mutating func takeSent() -> [WireBrokerFrame] {
        defer { sent = [] }
        return sent
    }

    private mutating func perform(_ actions: [BrokerAction]) {
        for action in actions {
            switch action {
            case .send(_, let frame): sent.append(frame)
            case .publish(_, let update): published += Frame.encode(update).isEmpty ? 0 : 1
            case .journal(let batch, _): perform(machine.journalled(batch: batch, now: now))
            case .spooled, .watch, .examine, .unwatch, .log: break
            }
        }
    }
}
