import ProgressBus
import TaskTree
import TestSupport

/// Random work of many processes, done on the hosts of a fleet with faults, and at one broker without.
///
/// It is done in phases, with a rest after each. Who gets a ticket depends on who comes first, so what
/// would be decided by that is in different phases.
struct RandomFleetWork {
    /// Something that is in both worlds.
    private struct Pair<Value> {
        let inFleet: Value
        let alone: Value
    }

    private struct Process {
        let host: Int
        let clients: Pair<BusClient>
        let numbers: Pair<UInt32>
        var isAlive = true
    }

    private struct Work {
        let process: Int
        let tasks: Pair<ProgressTask>
        var ticket: Int?
        /// The processes that have what it is a part of, and its own.
        var line: Set<Int> = []
        /// What it is a part of, if that is the same process's.
        var parent: Int?
        var isEnded = false
    }

    private struct Ticket {
        let tickets: Pair<ProgressTicket>
        let title: String
        /// As of a work.
        let line: Set<Int>
        var redeemers: [Int] = []
        /// When it was redeemed, or a redeemer has ended, last.
        var changedIn = 0
    }

    var fleet = WholeFleet(hosts: 3)
    var alone = WholeFleet(hosts: 1)
    /// What was done, for whoever looks at a failure.
    private(set) var history: [String] = []
    private var random: SplitMix64
    private var processes: [Process] = []
    private var works: [Work] = []
    private var tickets: [Ticket] = []
    /// Where each job began, and where who has a task is, by their titles.
    private(set) var hostOfJob: [String: Int] = [:]
    private(set) var hostOfTask: [String: Int] = [:]
    private var phase = 0
    private let kills: Bool

    static let mostTasks = 200

    /// Processes are killed, or brokers: a broker that begins anew does not know what was done by a
    /// process that is gone.
    init(seed: UInt64, kills: Bool) {
        random = SplitMix64(seed: seed)
        self.kills = kills
        pass(3)
    }

    mutating func doPhase(events: Int) {
        phase += 1
        history.append("phase \(phase)")
        if phase == 1 {
            for host in 0..<3 { beginProcess(on: host) }
        }
        for _ in 0..<events {
            doSomething()
            pass([0, 0, 0.05, 0.1, 0.5].randomElement(using: &random) ?? 0)
        }
        for host in 0..<3 { fleet.setAway(false, host) }
        fleet.isLost = { false }
        // What NATS has lost is said again within a minute.
        pass(70)
    }

    private mutating func pass(_ seconds: Double) {
        guard seconds > 0 else { return }
        fleet.pass(seconds: seconds)
        alone.pass(seconds: seconds)
    }

    private mutating func doSomething() {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<4: beginProcess(on: Int.random(in: 0..<3, using: &random))
        case ..<10: beginJob()
        case ..<26: beginChild()
        case ..<38: makeTicket()
        case ..<54: redeem()
        case ..<80: advance()
        case ..<92: end()
        case ..<94: kills ? killProcess() : restartBroker()
        default: doHarm()
        }
    }

    // MARK: Work

    private mutating func beginProcess(on host: Int) {
        guard processes.count < 40 else { return }
        let (inFleet, there) = fleet.begin(on: host)
        let (alone, here) = alone.begin(on: 0)
        processes.append(
            Process(
                host: host,
                clients: Pair(inFleet: inFleet, alone: alone),
                numbers: Pair(inFleet: there, alone: here)
            )
        )
        note("process \(processes.count - 1) on \(host)")
    }

    private mutating func anyProcess() -> Int? {
        processes.indices.filter { processes[$0].isAlive }.randomElement(using: &random)
    }

    private mutating func anyWork() -> Int? {
        works.indices.filter { goesOn($0) && processes[works[$0].process].isAlive }
            .randomElement(using: &random)
    }

    /// Whether neither a work nor what it is a part of in its process has ended: with that it ends too.
    private func goesOn(_ number: Int) -> Bool {
        !works[number].isEnded && works[number].parent.map { goesOn($0) } ?? true
    }

    private var title: String { "task \(works.count + tickets.count)" }
    private var isFull: Bool { works.count + tickets.count >= Self.mostTasks }

    private mutating func anyTotal() -> Int? {
        [nil, 0, 1, 4, 10].randomElement(using: &random) ?? nil
    }

    private mutating func begin(
        _ process: Int,
        ticket: Int? = nil,
        below line: Set<Int> = [],
        _ what: String,
        _ begin: (BusClient, _ isInFleet: Bool) -> ProgressTask
    ) {
        let clients = processes[process].clients
        note("\(title), work \(works.count) of process \(process): \(what)")
        let pair = Pair(inFleet: begin(clients.inFleet, true), alone: begin(clients.alone, false))
        // What is called stalled depends on when it was looked at.
        pair.inFleet.setExpectedGap(.seconds(100_000))
        pair.alone.setExpectedGap(.seconds(100_000))
        works.append(
            Work(process: process, tasks: pair, ticket: ticket, line: line.union([process]))
        )
    }

    private mutating func beginJob() {
        guard !isFull, let process = anyProcess() else { return }
        let (title, total) = (title, anyTotal())
        hostOfJob[title] = processes[process].host
        hostOfTask[title] = processes[process].host
        begin(process, "job") { client, _ in client.beginJob(title, total: total) }
    }

    private mutating func beginChild() {
        guard !isFull, let parent = anyWork(), let process = anyProcess() else { return }
        let (tasks, line) = (works[parent].tasks, works[parent].line)
        let isOwn = Bool.random(using: &random)
        // What a process has begun below another one's task ends with its own task above that; in a
        // fleet only where one broker has all three.
        guard isOwn || !line.contains(process) else { return }
        let (title, total) = (title, anyTotal())
        let share = [nil, 0, 1, 3].randomElement(using: &random) ?? nil
        hostOfTask[title] = processes[isOwn ? works[parent].process : process].host
        let owner = isOwn ? works[parent].process : process
        defer { if isOwn { works[works.count - 1].parent = parent } }
        begin(owner, below: line, "child of \(name(parent))") { client, isInFleet in
            let parent = isInFleet ? tasks.inFleet : tasks.alone
            return isOwn
                ? parent.beginChild(title, share: share, total: total)
                : client.beginChild(title, of: parent.id, share: share, total: total)
        }
    }

    private mutating func makeTicket() {
        guard !isFull, let parent = anyWork() else { return }
        let (title, tasks) = (title, works[parent].tasks)
        let share = [nil, 0, 1, 3].randomElement(using: &random) ?? nil
        note("\(title): ticket below \(name(parent))")
        hostOfTask[title] = processes[works[parent].process].host
        let pair = Pair(
            inFleet: tasks.inFleet.makeTicket(title, share: share),
            alone: tasks.alone.makeTicket(title, share: share)
        )
        tickets.append(Ticket(tickets: pair, title: title, line: works[parent].line))
    }

    private mutating func redeem() {
        let open = tickets.indices.filter { tickets[$0].changedIn < phase }
        guard !isFull, let process = anyProcess(), let number = open.randomElement(using: &random)
        else { return }
        let ticket = tickets[number]
        guard !ticket.line.contains(process) else { return }
        let title = ticket.redeemers.isEmpty ? nil : title
        let total = anyTotal()
        tickets[number].changedIn = phase
        tickets[number].redeemers.append(works.count)
        hostOfTask[title ?? ticket.title] = processes[process].host
        begin(process, ticket: number, below: ticket.line, "redeems \(ticket.title)") {
            client,
            isInFleet in
            let ticket = isInFleet ? ticket.tickets.inFleet : ticket.tickets.alone
            return client.redeem(ticket, title: title, total: total)
        }
    }

    private mutating func advance() {
        guard let number = anyWork() else { return }
        let step = Int.random(in: 1...3, using: &random)
        note("\(name(number)) advances by \(step)")
        works[number].tasks.inFleet.advance(by: step)
        works[number].tasks.alone.advance(by: step)
    }

    private mutating func end() {
        guard let number = anyWork() else { return }
        guard mayEnd(number) else { return }
        works[number].isEnded = true
        let tasks = works[number].tasks
        switch Int.random(in: 0..<10, using: &random) {
        case ..<7:
            note("\(name(number)) succeeds")
            tasks.inFleet.succeed()
            tasks.alone.succeed()
        case ..<9:
            note("\(name(number)) fails")
            tasks.inFleet.fail("no luck")
            tasks.alone.fail("no luck")
        default:
            note("\(name(number)) is cancelled")
            tasks.inFleet.endCancelled("no need")
            tasks.alone.endCancelled("no need")
        }
    }

    /// Whether nothing else of its ticket has been decided in this phase; if so, nothing else will.
    private mutating func mayEnd(_ number: Int) -> Bool {
        guard let ticket = works[number].ticket else { return true }
        guard tickets[ticket].changedIn < phase || tickets[ticket].redeemers == [number] else {
            return false
        }
        tickets[ticket].changedIn = phase
        return true
    }

    private func name(_ number: Int) -> String { "work \(number)" }

    // MARK: Faults

    private mutating func killProcess() {
        guard let number = anyProcess() else { return }
        let own = works.indices.filter { works[$0].process == number && !works[$0].isEnded }
        guard own.allSatisfy({ mayEnd($0) }) else { return }
        note("process \(number) is killed")
        processes[number].isAlive = false
        fleet.kill(processes[number].numbers.inFleet, on: processes[number].host)
        alone.kill(processes[number].numbers.alone, on: 0)
    }

    private mutating func restartBroker() {
        let host = Int.random(in: 0..<3, using: &random)
        note("broker of \(host) begins anew")
        fleet.restartBroker(of: host)
    }

    private mutating func doHarm() {
        let host = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1:
            note("host \(host) is cut off")
            fleet.setAway(true, host)
        case 2:
            note("host \(host) is back")
            fleet.setAway(false, host)
        case 3:
            note("bridge of \(host) begins anew")
            fleet.restartBridge(of: host)
        case 4:
            note("NATS is emptied")
            fleet.loseKept()
        case 5:
            note("records get lost")
            let lost = Loss(seed: random.next())
            fleet.isLost = { lost.next() }
        case 6:
            note("records get through")
            fleet.isLost = { false }
        default:
            let seconds = Double([6, 15].randomElement(using: &random) ?? 6)
            note("\(seconds) s pass")
            pass(seconds)
        }
    }

    private mutating func note(_ event: String) { history.append("\(event)") }
}

/// Loses one of three.
private final class Loss {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    func next() -> Bool { Int.random(in: 0..<3, using: &random) == 0 }
}
