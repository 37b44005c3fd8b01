import BrokerCore
import BusProtocol
import TaskTree

/// A broker without sockets and disk that takes whatever frames an input holds, in their order.
struct BrokerStage {
    private var machine: BrokerMachine
    private var now = Moment(nanoseconds: 1_000_000_000)
    private var journal: [JournalEntry] = []
    /// The processes whose end the machine wants to hear of.
    private var watched: [SessionID: WatchedProcess] = [:]

    private static let session = SessionID(rawValue: 0x0123_4567_89ab_cdef)
    private static let unixTime = 1_800_000_000.0
    /// Times after which everything that waits has been done: silent, lost, left.
    private static let endings = [3.5, 11, 61]

    /// Small, so that an input reaches the limits.
    private static let configuration: CoreConfiguration = {
        var configuration = CoreConfiguration()
        configuration.tasksPerSession = 24
        configuration.textPerSecond = 4_096
        configuration.sessions = 4
        configuration.logLinesPerJob = 4
        configuration.rowsPerChunk = 3
        configuration.frameBytes = 8_192
        configuration.listingsPerSession = 2
        configuration.endedJobsKept = 4
        configuration.commands = 3
        // Those of the vectors, so that their processes are believed.
        configuration.bootID = "6e2b9c9e-0a55-4e0c-9a3e-b3f1e0a7d2c4"
        configuration.pidNamespace = "pid:[4026531836]"
        return configuration
    }()

    /// Somebody looks at everything that the vectors speak of.
    private static let topics: [Topic] = {
        let job = TaskID(index: 1, session: session)
        return [
            .totals, .attention, .board(page: 0), .job(job), .log(job),
            .children(job, block: 0), .states(job, block: 0),
        ]
    }()

    /// The hello of the vectors' session, for inputs that have none.
    private static let hello: WireClientFrame = {
        var frame = WireClientFrame()
        frame.credentialBytes = Array(0x10...0x1f)
        frame.hello.session = session.rawValue
        frame.hello.process.pid = 4_711
        return frame
    }()

    private init(journal: [JournalEntry], at now: Moment) {
        self.now = now
        self.journal = journal
        machine = BrokerMachine(
            configuration: Self.configuration,
            epoch: 7,
            ownSession: SessionID(rawValue: 0xfedc_ba98_7654_3210),
            journal: journal,
            now: now,
            unixTime: Self.unixTime
        )
        for topic in Self.topics { subscribe(Array(topic.name.utf8), true) }
    }

    /// A broker with viewers, made once and copied for every input.
    private static let empty = BrokerStage(journal: [], at: Moment(nanoseconds: 1_000_000_000))
    /// One that also has welcomed the vectors' session.
    private static let welcoming: BrokerStage = {
        var stage = empty
        stage.perform(stage.machine.receive(hello, from: route(16), now: stage.now))
        stage.pass(0.05)
        return stage
    }()

    /// Plays an input to a broker, and some then to the broker that follows it with its journal.
    static func play(_ input: [UInt8], as kind: FrameHeader.Kind) {
        var stage = kind == .report ? welcoming : empty
        for frame in FrameSequence(input) {
            stage.take(frame, as: FrameHeader.Kind(rawValue: frame.kind) ?? kind)
            stage.pass(frame.pause)
        }
        for seconds in endings { stage.pass(seconds) }
        guard !stage.journal.isEmpty, input.count % 4 == 0 else { return }
        var next = BrokerStage(journal: JournalEntry.compact(stage.journal), at: stage.now)
        for seconds in endings { next.pass(seconds) }
        next.perform(next.machine.drain(now: next.now))
    }

    /// Takes a file of the spool in twice: the second time as after a broker that died meanwhile.
    static func collect(_ file: SpoolFile) {
        var stage = empty
        for number: UInt64 in 1...2 {
            stage.perform(stage.machine.collect(file, number: number, now: stage.now))
            stage.pass(0.05)
        }
        for seconds in endings { stage.pass(seconds) }
    }

    private static func route(_ number: UInt8) -> Route {
        Route(bytes: [0, number])
    }

    private mutating func take(_ frame: FrameSequence.Element, as kind: FrameHeader.Kind) {
        switch kind {
        // Bridges say it to each other: no broker reads it.
        case .fleet: break
        case .report:
            do {
                let report = try Frame.decodeReport(frame.bytes)
                perform(machine.receive(report, now: now))
            } catch {
                perform(machine.refuse(error, from: nil, now: now))
            }
        case .client:
            // Sessions have different connections, and the same one each time.
            let route = Self.route(frame.bytes.dropFirst(10).first ?? 0)
            do {
                let client = try Frame.decodeClient(frame.bytes)
                perform(machine.receive(client, from: route, peer: 4_711, now: now))
            } catch {
                perform(machine.refuse(error, from: route, now: now))
            }
        case .update:
            subscribe(Array(frame.bytes.dropFirst(FrameHeader.size)), frame.selector % 2 == 0)
        case .broker:
            perform(machine.unreachable(Self.route(UInt8(frame.selector)), now: now))
            guard let (session, process) = watched.min(by: { $0.key < $1.key }) else { break }
            let exit: ProcessExit? =
                switch frame.selector % 3 {
                case 0: .signal(9)
                case 1: .status(1)
                default: nil
                }
            perform(machine.processGone(session, process, exit: exit, now: now))
        }
    }

    private mutating func subscribe(_ topic: [UInt8], _ isSubscribed: Bool) {
        perform(machine.subscriptionChanged(topic: topic, subscribed: isSubscribed, now: now))
    }

    private mutating func pass(_ seconds: Double) {
        now = now.advanced(bySeconds: seconds)
        let unixTime = Self.unixTime + Double(now.nanoseconds) / 1e9
        perform(machine.tick(now: now, unixTime: unixTime))
    }

    /// Whatever came in, what goes out keeps the protocol.
    private mutating func perform(_ actions: [BrokerAction]) {
        for action in actions {
            switch action {
            case .send(_, let frame):
                _ = frame.arriving(within: Self.configuration.frameBytes)
            case .publish(let topic, let update):
                // A beat says nothing that could be wrong, and there are many.
                guard update.sequence != update.previous else { continue }
                promise(Topic(name: topic) != nil, "the topic \(topic)")
                update.checkArriving(within: Self.configuration.frameBytes)
            case .journal(let batch, let entries):
                journal += entries
                perform(machine.journalled(batch: batch, now: now))
            case .watch(let session, let process): watched[session] = process
            case .examine(let session, let process):
                machine.processExamined(session, process, isStopped: process.pid % 2 == 0)
            case .unwatch(let session): watched[session] = nil
            case .spooled, .log: break
            }
        }
    }
}
