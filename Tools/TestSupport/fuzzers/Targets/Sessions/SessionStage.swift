import BrokerCore
import BusProtocol
import TaskTree

/// A broker, an honest session, and three that say whatever an input chooses, in valid frames.
///
/// Four promises: no trap; no table beyond its bound, and all of them empty when everybody has
/// left; no session changes what the honest one owns; viewers can read all that the broker says.
struct SessionStage {
    static let ownSession = SessionID(rawValue: 0xfedc_ba98_7654_3210)
    static let topicNames: [String] =
        [
            Topic.totals, .attention, .board(page: 0), .job(HonestSession.job),
            .log(HonestSession.job), .children(HonestSession.job, block: 0),
            .states(HonestSession.job, block: 0),
            .job(TaskID(index: 1, session: SessionID(rawValue: 2))),
        ].map(\.name)

    static let unixTime = 1_800_000_000.0
    private static let sessions = 3
    /// Those of which anything is said.
    private static let pages = 6

    /// Small, so that an input reaches the limits.
    private static let configuration: CoreConfiguration = {
        var configuration = CoreConfiguration()
        configuration.bootID = "boot"
        configuration.pidNamespace = "space"
        configuration.tasksPerSession = 12
        configuration.tasks = 100
        configuration.logLinesPerJob = 4
        configuration.logBytes = 4_096
        configuration.rowsPerChunk = 12
        configuration.frameBytes = 6_144
        configuration.listingsPerSession = 2
        configuration.listedIDs = 64
        configuration.endedJobsKept = 4
        configuration.commands = 3
        configuration.detachedTasks = 6
        configuration.detachedRequests = 8
        configuration.departedSessions = 4
        configuration.fleetBrokers = 2
        configuration.fleetJobs = 3
        configuration.fleetKept = 20
        configuration.fleetSessions = 3
        configuration.fleetQuestions = 4
        configuration.fleetParts = 4
        configuration.troubledPartKept = 20
        return configuration
    }()

    private var machine: BrokerMachine
    private var now = Moment(nanoseconds: 1_000_000_000)
    private var honest = HonestSession()
    private var hostile = (2...4).map { HostileSession($0) }
    private var watched: [SessionID: WatchedProcess] = [:]
    private var rows: [WireRow] = []
    private var cursor: [UInt8] = []
    private var chunks = 0
    private var refusals = 0
    private var subscribed: Set<String> = []
    private var spooled: UInt64 = 0

    private init() {
        machine = BrokerMachine(
            configuration: Self.configuration,
            epoch: 7,
            ownSession: Self.ownSession,
            now: now,
            unixTime: Self.unixTime
        )
    }

    /// A broker to which the honest session has said what it has; copied for every input.
    private static let begun: SessionStage = {
        var stage = SessionStage()
        stage.say(HonestSession.hello)
        let keyframe = stage.honest.keyframe()
        stage.report(keyframe)
        stage.pass(0.05)
        return stage
    }()

    /// Plays an input, each operation is some bytes of it, and returns their number.
    static func play(_ input: [UInt8]) -> Int {
        var stage = begun
        var choices = Choices(input)
        var steps = 0
        while !choices.isEmpty {
            stage.step(&choices)
            steps += 1
        }
        stage.check()
        stage.lookAtEverything()
        stage.leave()
        return steps
    }

    private mutating func step(_ choices: inout Choices) {
        let who = choices.number(below: Self.sessions)
        switch choices.number(below: 16) {
        case 0...4: report(hostile[who].report(&choices))
        case 5...9:
            let frame = hostile[who].control(&choices)
            control(frame, over: hostile[who].route)
        case 10: pass(choices.of([0.05, 0.05, 0.5, 1, 3, 4]))
        case 11: advanceHonestly(&choices)
        case 12: hostile[who].route = choices.of([2, 3, 4, 5, 6])
        case 13: subscribe(choices.of(Self.topicNames), choices.flag())
        case 14: collect(who, &choices)
        default: endProcess(&choices)
        }
        checkTables()
    }

    // MARK: The honest session

    private mutating func advanceHonestly(_ choices: inout Choices) {
        let index = UInt64(choices.number(below: Int(HonestSession.count))) + 1
        switch choices.number(below: 6) {
        case 0 where index > 1:
            if let frame = honest.end(index, choices.of([.succeeded, .failed, .cancelled])) {
                say(frame)
            }
        case 1: report(honest.keyframe())
        default: if let next = honest.advance(index) { report(next) }
        }
        check()
    }

    private mutating func check() {
        pass(0.05)
        _ = ask(.job(HonestSession.job))
        honest.check(rows)
    }

    /// A viewer asks for all there is: each answer comes, and can be read.
    private mutating func lookAtEverything() {
        var jobs: [TaskID] = []
        for page in 0..<Self.pages { jobs += ask(.board(page: page)) }
        for topic in [Topic.totals, .attention] { _ = ask(topic) }
        for job in jobs {
            for task in ask(.job(job)) { _ = ask(.children(task, block: 0)) }
            _ = ask(.states(job, block: 0))
            _ = ask(.log(job))
        }
    }

    private mutating func ask(_ topic: Topic) -> [TaskID] {
        rows = []
        cursor = []
        refusals = 0
        repeat {
            let answered = chunks
            say(
                honest.frame {
                    $0.snapshot.request = 1
                    $0.snapshot.topic = topic.name
                    $0.snapshot.cursorBytes = cursor
                }
            )
            // A task of another broker, whose host may never answer.
            guard chunks > answered else {
                pass(2)
                promise(refusals > 0, "no answer about \(topic.name)")
                return []
            }
            promise(chunks == answered + 1, "two answers about \(topic.name)")
        } while !cursor.isEmpty
        return rows.compactMap { $0.task.taskID() }
    }

    /// Everybody goes: the hostile sessions are lost, the honest one ends its job.
    private mutating func leave() {
        for name in subscribed { subscribe(name, false) }
        // Who has said that all its tasks are paused is there as long as its process is.
        for (session, process) in watched {
            perform(machine.processGone(session, process, exit: nil, now: now))
        }
        for _ in 0..<4 { pass(4) }
        if let frame = honest.end(1, .succeeded) { say(frame) }
        say(honest.frame { $0.goodbye.sequence = 0 })
        for _ in 0..<6 { pass(15) }
        dismissAll()
        for _ in 0..<6 { pass(15) }
        dismissAll()
        pass(12)
        let left = machine.tablesInUse
        promise(left.isEmpty, "everybody has left, and this is left: \(left) \(rows)")
    }

    /// Somebody who looks takes away what has ended without a success.
    private mutating func dismissAll() {
        var looker = WireClientFrame()
        looker.credentialBytes = Array(repeating: 0xBB, count: 16)
        for _ in 0..<200 {
            rows = []
            looker.hello.session = 1_000
            looker.hello.viewer = true
            say(looker)
            for page in 0..<Self.pages {
                looker.snapshot.request = 1
                looker.snapshot.topic = Topic.board(page: page).name
                say(looker)
            }
            guard !rows.isEmpty else { break }
            for row in rows {
                looker.command.request = 1
                looker.command.verb = .dismiss
                looker.command.target = row.task
                looker.command.timeout = 1
                say(looker)
                // What is still at work, as a detached task without a promise, is cancelled.
                looker.command.verb = .cancel
                say(looker)
            }
            pass(2)
        }
        looker.goodbye.sequence = 0
        say(looker)
    }

    // MARK: The broker

    private mutating func say(_ frame: WireClientFrame) { control(frame, over: 1) }

    private mutating func control(_ frame: WireClientFrame, over route: UInt8) {
        let route = Route(bytes: [0, route])
        do {
            let frame = try Frame.decodeClient(Frame.encode(frame))
            perform(machine.receive(frame, from: route, peer: 1, now: now))
        } catch {
            perform(machine.refuse(error, from: route, now: now))
        }
    }

    private mutating func report(_ report: WireReport) {
        do {
            let report = try Frame.decodeReport(Frame.encode(report))
            perform(machine.receive(report, now: now))
        } catch {
            perform(machine.refuse(error, from: nil, now: now))
        }
    }

    private mutating func subscribe(_ name: String, _ isSubscribed: Bool) {
        guard isSubscribed != subscribed.contains(name) else { return }
        if isSubscribed { subscribed.insert(name) } else { subscribed.remove(name) }
        perform(
            machine.subscriptionChanged(
                topic: Array(name.utf8),
                subscribed: isSubscribed,
                now: now
            )
        )
    }

    /// A file of the spool with some frames of a session, hello first, as they must be.
    private mutating func collect(_ who: Int, _ choices: inout Choices) {
        var frames: [WireClientFrame] = []
        var hello = WireClientFrame()
        hello.credentialBytes = hostile[who].credential
        hello.hello.session = hostile[who].id.rawValue
        frames.append(hello)
        for _ in 0..<choices.number(below: 5) { frames.append(hostile[who].control(&choices)) }
        guard let file = try? SpoolFile(decoding: SpoolFile.encode(frames)) else { return }
        spooled += 1
        perform(machine.collect(file, number: spooled, now: now))
    }

    private mutating func endProcess(_ choices: inout Choices) {
        perform(machine.unreachable(Route(bytes: [0, choices.of([2, 3, 4, 5])]), now: now))
        guard let (session, process) = watched.min(by: { $0.key < $1.key }) else { return }
        let exit: ProcessExit? = choices.of([.signal(9), .status(1), nil])
        perform(machine.processGone(session, process, exit: exit, now: now))
    }

    /// Lets time pass, in which the honest session says that it lives.
    private mutating func pass(_ seconds: Double) {
        if honest.ledger[1]?.state == .running {
            say(honest.frame { $0.heartbeat.sequence = 0 })
        }
        // In small steps, or the broker takes itself for having been stopped.
        var left = seconds
        while left > 0 {
            now = now.advanced(bySeconds: min(left, 1))
            left -= 1
            perform(machine.tick(now: now, unixTime: Self.unixTime + Double(now.nanoseconds) / 1e9))
        }
    }

    private mutating func perform(_ actions: [BrokerAction]) {
        for action in actions {
            switch action {
            case .send(let route, let frame):
                let frame = frame.arriving(within: Self.configuration.frameBytes)
                guard route.bytes == [0, 1] else { continue }
                if case .refusal? = frame.body { refusals += 1 }
                guard case .snapshot(let chunk)? = frame.body else { continue }
                chunks += 1
                rows += chunk.rows
                cursor = chunk.cursorBytes
            case .journal(let batch, _): perform(machine.journalled(batch: batch, now: now))
            case .watch(let session, let process): watched[session] = process
            case .examine(let session, let process):
                machine.processExamined(session, process, isStopped: process.pid % 2 == 0)
            case .unwatch(let session): watched[session] = nil
            case .publish(_, let update):
                update.checkArriving(within: Self.configuration.frameBytes)
            case .spooled, .log: break
            }
        }
    }

    /// No table is larger than the limits allow.
    private func checkTables() {
        let limits = Self.configuration
        let tables = machine.tables
        // The honest session, the hostile ones, the broker's own, and a placeholder for each.
        let records = 2 * (Int(HonestSession.count) + Self.sessions * 12 + limits.detachedTasks)
        for name in [
            "records of the tree", "tasks", "jobs", "places", "facts", "bindings", "tickets",
            "rows without a place", "bindings without a job", "attention", "unattached",
            "unobserved",
        ] {
            promise(tables[name, default: 0] <= records, "\(name): \(tables)")
        }
        promise(tables["sessions", default: 0] <= Self.sessions + 2, "sessions: \(tables)")
        promise(tables["listings", default: 0] <= limits.listedIDs, "listings: \(tables)")
        promise(tables["commands", default: 0] <= limits.commands, "commands: \(tables)")
        promise(
            tables["deliveries", default: 0] <= limits.commands * (Self.sessions + 1),
            "deliveries: \(tables)"
        )
        let line = 2 * ProtocolLimits.logBytes
        promise(tables["bytes of messages", default: 0] <= limits.logBytes + line, "log: \(tables)")
        promise(tables["timers", default: 0] <= 4 * records, "timers: \(tables)")
        promise(tables["brokers of the fleet", default: 0] <= limits.fleetBrokers, "\(tables)")
        promise(tables["jobs of the fleet", default: 0] <= limits.fleetJobs, "\(tables)")
        promise(tables["sessions of the fleet", default: 0] <= limits.fleetSessions, "\(tables)")
        promise(tables["questions to the fleet", default: 0] <= limits.fleetQuestions, "\(tables)")
        promise(tables["parts", default: 0] <= limits.fleetParts, "\(tables)")
        promise(tables["conversations", default: 0] <= limits.fleetParts, "\(tables)")
        promise(tables["undismissed", default: 0] <= limits.endedJobsKept, "ended: \(tables)")
    }
}
