import BusProtocol
import TaskTree

@testable import FleetCore

/// Bridges, each beside a broker of which only the board is played, and one stream between them.
struct PlayedFleet {
    private(set) var now = Moment(nanoseconds: 1_000_000_000)
    var hosts: [PlayedHost] = []
    /// What NATS keeps.
    var stream: [FleetSubject: WireFleetRecord] = [:]
    /// What is put is refused.
    var isFull = false
    /// Messages of these hosts reach nobody and are not kept.
    var silent: Set<Int> = []
    /// How often the stream was read.
    private(set) var readings = 0
    /// How many records of slots were to be kept.
    private(set) var puts = 0

    /// Two hosts with a job each.
    static func two() -> PlayedFleet {
        var fleet = PlayedFleet(hosts: 2)
        fleet.hosts[0].show("Near", slot: 1)
        fleet.hosts[1].show("Far", slot: 1)
        fleet.pass(seconds: 3)
        return fleet
    }

    init(hosts count: Int) {
        for index in 0..<count { begin(index, pages: []) }
    }

    /// What the clock of a host says.
    private func unixTime(at index: Int) -> Double { unixTime + hosts[index].clockAhead }

    var unixTime: Double { 1_700_000_000 + now.seconds(since: Moment(nanoseconds: 0)) }

    /// Starts a bridge; one that was there is gone.
    mutating func begin(_ index: Int, pages: [Int]) {
        let board = index < hosts.count ? hosts[index].board : [:]
        var host = PlayedHost(number: UInt64(index + 1), pages: pages, board: board, at: now)
        host.machine.receive(.connected, at: now, unixTime: unixTime)
        if index < hosts.count { hosts[index] = host } else { hosts.append(host) }
    }

    /// Lets time pass in ticks of 0.1 s.
    mutating func pass(seconds: Double = 1) {
        for _ in 0..<Int(seconds * 10) {
            now = now.advanced(bySeconds: 0.1)
            for index in hosts.indices {
                for beat in hosts[index].beats() { tell(beat, to: index) }
                hosts[index].machine.tick(at: now, unixTime: unixTime(at: index))
            }
            for index in hosts.indices { settle(index) }
        }
    }

    mutating func receive(_ event: FleetMachine.Event, at index: Int) {
        hosts[index].machine.receive(event, at: now, unixTime: unixTime(at: index))
        settle(index)
    }

    private mutating func settle(_ index: Int) {
        while true {
            let actions = hosts[index].machine.takeActions()
            guard !actions.isEmpty else { return }
            for action in actions { perform(action, of: index) }
        }
    }

    private mutating func perform(_ action: FleetMachine.Action, of index: Int) {
        switch action {
        case .put(let subject, let record):
            puts += 1
            put(record, under: subject, of: index, isFirst: false)
        case .claim(let subject, let record): put(record, under: subject, of: index, isFirst: true)
        case .publish(let subject, let record): say(record, under: subject, of: index)
        case .read:
            readings += 1
            for (subject, record) in stream.sorted(by: { "\($0.key)" > "\($1.key)" }) {
                tell(.record(subject, record, isStored: true), to: index)
            }
            tell(.wasRead, to: index)
        default:
            for event in hosts[index].perform(action) { tell(event, to: index) }
        }
    }

    private mutating func put(
        _ record: WireFleetRecord,
        under subject: FleetSubject,
        of index: Int,
        isFirst: Bool
    ) {
        let isKept =
            !isFull && !silent.contains(index) && !(isFirst && stream[subject] != nil)
        if isKept { stream[subject] = record }
        tell(.answered(subject, isKept: isKept), to: index)
        // NATS hands on what it does not keep, too.
        say(record, under: subject, of: index)
    }

    private mutating func say(
        _ record: WireFleetRecord,
        under subject: FleetSubject,
        of index: Int
    ) {
        guard !silent.contains(index) else { return }
        for other in hosts.indices where other != index {
            tell(.record(subject, record, isStored: false), to: other)
        }
    }

    private mutating func tell(_ event: FleetMachine.Event, to index: Int) {
        hosts[index].machine.receive(event, at: now, unixTime: unixTime(at: index))
    }
}

/// A bridge and the board of its broker.
struct PlayedHost {
    var machine: FleetMachine
    /// The broker's own jobs by slot of its own, from 1.
    var board: [Int: WireRow] = [:]
    /// Pages that the broker was told to be its own.
    private(set) var pages: [Int] = []
    /// What it was told keeps its host from the fleet.
    private(set) var trouble = ""
    /// What it was told of others: titles by slot.
    private(set) var others: [Int: String] = [:]
    private(set) var unheard: [UInt64: Double] = [:]
    /// When others' jobs began, by slot.
    private(set) var begun: [Int: Double] = [:]
    /// Its broker answers nothing.
    var isSilent = false
    /// Seconds by which its clock is ahead of the others'.
    var clockAhead = 0.0
    private(set) var warnings: [String] = []
    private(set) var frames: [WireFleetRows] = []
    /// What its broker was asked by way of the bridge, and what it was told that others answer.
    private(set) var asked: [WireClientFrame.OneOf_Body] = []
    private(set) var answers: [WireFleetAnswer] = []
    /// What sessions of others say to its broker, and the tasks that this one knows.
    private(set) var envelopes: [WireFleetSession] = []
    var known: [TaskID] = []
    /// What its broker says when a snapshot of a job is asked for.
    var below: [WireRow] = []
    private var topics: Set<Topic> = []
    private var sequence: UInt64 = 1
    private var slots: [WireTaskRef: Int] = [:]

    init(number: UInt64, pages: [Int], board: [Int: WireRow], at now: Moment) {
        var hello = WireHello()
        hello.session = number
        hello.viewer = true
        self.board = board
        machine = FleetMachine(
            broker: number,
            host: "host-\(number)",
            pages: pages,
            hello: hello,
            credential: [UInt8](repeating: 1, count: 16),
            at: now
        )
    }

    /// Shows a job, or changes the one that is there; the page's viewers hear of it.
    mutating func show(_ title: String, slot: Int, _ fill: (inout WireRow) -> Void = { _ in }) {
        sequence += 1
        var row = board[slot] ?? WireRow()
        row.task = WireTaskRef(TaskID(index: UInt64(slot), session: SessionID(rawValue: 77)))
        row.description_p.title = title
        row.progress.state = .running
        row.sequence = sequence
        fill(&row)
        board[slot] = row
    }

    mutating func hide(slot: Int) {
        sequence += 1
        board[slot] = nil
    }

    /// The beats of the pages that are subscribed to, in each tick; none of a silent broker.
    func beats() -> [FleetMachine.Event] {
        guard !isSilent else { return [] }
        return topics.map { topic in
            var update = WireUpdate()
            update.sequence = sequence
            update.previous = sequence
            return .update(topic, update)
        }
    }

    mutating func perform(_ action: FleetMachine.Action) -> [FleetMachine.Event] {
        switch action {
        case .subscribe(let topic): topics.insert(topic)
        case .unsubscribe(let topic): topics.remove(topic)
        case .warn(let sentence): warnings.append(sentence)
        case .send(let frame): return answer(frame).map { [.frame($0)] } ?? []
        default: break
        }
        return []
    }

    private mutating func answer(_ frame: WireClientFrame) -> WireBrokerFrame? {
        guard !isSilent else { return nil }
        var answer = WireBrokerFrame()
        switch frame.body {
        case .hello:
            others = [:]
            answer.welcome.heartbeat = 1_000
        case .snapshot(let request):
            answer.snapshot.request = request.request
            answer.snapshot.topic = request.topic
            answer.snapshot.sequence = sequence
            answer.snapshot.last = true
            if case .board(let page)? = Topic(name: request.topic) {
                answer.snapshot.rows = rows(onPage: page)
            } else {
                asked.append(.snapshot(request))
                answer.snapshot.rows = below
            }
        case .command(let command):
            asked.append(.command(command))
            answer.commandResult.request = command.request
            answer.commandResult.outcome = .accepted
            answer.commandResult.last = true
        case .detached(let request):
            asked.append(.detached(request))
            answer.detached.requestID = request.requestID
            answer.detached.task = WireTaskRef(known[0])
        case .find(let find):
            asked.append(.find(find))
            answer.found.request = find.request
            let meant = known.filter { ["id:\($0)", "owner:\($0)"].contains(find.text) }
            answer.found.tasks = meant.map { id in
                var found = WireFoundTask()
                found.task = WireTaskRef(id)
                return found
            }
        case .fleetAnswer(let said):
            answers.append(said)
            return nil
        case .fleetSession(let said):
            envelopes.append(said)
            return nil
        case .fleetPages(let said):
            let before = shown
            pages = said.pages.map(Int.init)
            trouble = said.trouble
            if shown != before { sequence += 1 }
            return nil
        case .fleetRows(let said):
            take(said)
            return nil
        default:
            return nil
        }
        return answer
    }

    /// The slots of the board that its jobs have.
    private var shown: [UInt32] {
        (0..<16).flatMap { rows(onPage: $0) }.map(\.description_p.slot)
    }

    /// As `BoardPages` has it: what no page is claimed for is behind all that are known.
    private func rows(onPage page: Int) -> [WireRow] {
        let free =
            max((pages.max() ?? -1), (others.keys.map { Topic.page(ofSlot: $0) }.max() ?? -1)) + 1
        return board.sorted { $0.key < $1.key }.compactMap { slot, row in
            let own = Topic.page(ofSlot: slot)
            let shown = own < pages.count ? pages[own] : free + own - pages.count
            guard shown == page else { return nil }
            var row = row
            row.description_p.slot = UInt32(slot + (shown - own) * ProtocolLimits.boardSlots)
            return row
        }
    }

    private mutating func take(_ said: WireFleetRows) {
        frames.append(said)
        unheard[said.broker] = said.unheard
        for task in said.removed {
            if let slot = slots.removeValue(forKey: task) { others[slot] = nil }
        }
        for row in said.rows {
            let slot = Int(row.description_p.slot)
            slots[row.task] = slot
            others[slot] = row.description_p.title
            begun[slot] = row.progress.begun
        }
    }
}
