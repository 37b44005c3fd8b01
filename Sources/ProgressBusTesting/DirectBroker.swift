import BrokerCore
import BusProtocol
import ProgressBus
import TaskTree

/// The broker's machine, and the sessions and viewers of this process that speak with it.
struct DirectBroker: Sendable {
    private struct Asked: Sendable {
        var viewer: DirectViewer
        /// Called with the answer; `nil` if the caller takes the answer itself.
        var tell: (@Sendable (DirectViewer.Answer) -> Void)?
    }

    private var machine: BrokerMachine
    private let unixOffset: Double
    /// The sessions; the index of each is its route.
    private var sessions: [DirectSession] = []
    private var viewers: [UInt32: Asked] = [:]
    private var lastViewer: UInt32 = 1 << 31

    init(unixTime: Double) {
        unixOffset = unixTime
        var configuration = CoreConfiguration()
        configuration.version = ProgressBusVersion.text
        // A test may ask as often as it likes.
        configuration.hellosPerSecond = 1_000_000
        configuration.findsPerSecond = 1_000_000
        configuration.commandsPerSecond = 1_000_000
        machine = BrokerMachine(
            configuration: configuration,
            epoch: 1,
            ownSession: SessionID.random(),
            now: Moment(nanoseconds: 0),
            unixTime: unixTime
        )
    }

    mutating func add(_ session: DirectSession) {
        sessions.append(session)
    }

    /// Asks a question that may be answered later.
    mutating func ask(
        _ viewer: DirectViewer,
        tell: @escaping @Sendable (DirectViewer.Answer) -> Void
    ) {
        lastViewer += 1
        viewers[lastViewer] = Asked(viewer: viewer, tell: tell)
    }

    /// Asks a question and returns the answer; `nil` if the broker does not answer at once.
    mutating func answer(to viewer: DirectViewer, at now: Moment) -> DirectViewer.Answer? {
        lastViewer += 1
        viewers[lastViewer] = Asked(viewer: viewer)
        serve(at: now)
        return viewers.removeValue(forKey: lastViewer)?.viewer.answer
    }

    mutating func tick(at now: Moment) {
        perform(
            machine.tick(now: now, unixTime: unixOffset + Double(now.nanoseconds) / 1e9),
            at: now
        )
    }

    /// Passes frames on until neither sessions nor viewers have any left.
    mutating func serve(at now: Moment) {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for (number, session) in sessions.enumerated() {
                while let frame = session.next() {
                    isQuiet = false
                    switch frame {
                    case .report(let report):
                        perform(machine.receive(report, now: now), at: now)
                    case .control(let frame):
                        take(frame, from: UInt32(number), at: now)
                    }
                }
            }
            for number in viewers.keys.sorted() where viewers[number]?.viewer.answer == nil {
                guard let frames = viewers[number]?.viewer.frames(at: now) else { continue }
                for frame in frames {
                    isQuiet = false
                    take(frame, from: number, at: now)
                }
                guard let answer = viewers[number]?.viewer.answer,
                    let tell = viewers[number]?.tell
                else { continue }
                viewers[number] = nil
                tell(answer)
            }
        }
    }

    private mutating func take(_ frame: WireClientFrame, from number: UInt32, at now: Moment) {
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        perform(machine.receive(frame, from: Route(bytes: bytes), now: now), at: now)
    }

    private mutating func perform(_ actions: [BrokerAction], at now: Moment) {
        for action in actions {
            switch action {
            case .send(let route, let frame):
                let number = route.bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                if number < sessions.count {
                    sessions[Int(number)].receive(frame)
                } else {
                    viewers[number]?.viewer.receive(frame, at: now)
                }
            // There is no disk: what is in memory counts as journalled.
            case .journal(let batch, _):
                perform(machine.journalled(batch: batch, now: now), at: now)
            // Nobody subscribes here, no file waits in a spool, and no process can be watched.
            case .publish, .spooled, .watch, .examine, .unwatch, .log: break
            }
        }
    }
}
