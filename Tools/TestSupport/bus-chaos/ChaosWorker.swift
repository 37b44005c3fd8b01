import Foundation
import ProgressBus
import TaskTree

/// A worker that does random work and writes down what it does.
///
/// `bus-chaos work LEDGER DIRECTORY SEED`: a few jobs with children, or the part that a ticket in
/// the environment stands for; then it leaves, with or without waiting for acknowledgements.
struct ChaosWorker {
    private let ledger: LedgerFile
    private let place: ChaosPlace
    private var chance: Chance
    private let bus = BusClient()
    private let conductor = getppid()
    private var tickets = 0

    init?(_ arguments: [String]) {
        guard arguments.count == 3, let seed = UInt64(arguments[2]),
            let ledger = LedgerFile(arguments[0])
        else { return nil }
        self.ledger = ledger
        place = ChaosPlace(directory: arguments[1], port: nil)
        chance = Chance(seed)
    }

    mutating func run() async {
        ledger.session(bus.session)
        let environment = ProcessInfo.processInfo.environment
        if let ticket = environment["PROGRESSBUS_TICKET"].flatMap({ ProgressTicket($0) }) {
            let total = someTotal()
            if let task = bus.redeemInherited(total: total) {
                ledger.redeemed(ticket.task, as: task.id, total: total)
                await work(on: task, depth: 2)
            }
        } else {
            for number in 1...chance.number(1...4) where !isCalm {
                let total = someTotal()
                let expected = total == nil && chance.oneIn(2) ? chance.number(0...8) : nil
                let job = bus.beginJob(
                    "Job \(number) of \(getpid())",
                    total: total,
                    options: TaskOptions(expectedChildren: expected)
                )
                ledger.began(job.id, in: nil, total: total, share: nil, expected: expected)
                await work(on: job, depth: 3)
                if chance.oneIn(3) { await sync() }
            }
        }
        await leave()
    }

    private var isCalm: Bool { access(place.calm, F_OK) == 0 }

    /// Begins children of a task, does them, and ends it.
    private mutating func work(on task: ProgressTask, depth: Int) async {
        var children = (0..<chance.number(depth == 3 ? 1...6 : 0...4)).map { number in
            begin(number, in: task)
        }
        if depth > 1, !isCalm, chance.oneIn(3) { await makeTicket(in: task) }
        children.shuffle(using: &chance)
        let endsEarly = chance.oneIn(10)
        while let child = children.popLast() {
            if children.isEmpty, endsEarly, !end(task, with: [child]) { return }
            await pause(0...60)
            if depth > 1, chance.oneIn(2) {
                await work(on: child, depth: depth - 1)
            } else {
                await pause(0...120)
                end(child, with: [])
            }
            noteWelcome()
        }
        if !task.isEnded { end(task, with: []) }
    }

    private mutating func begin(_ number: Int, in parent: ProgressTask) -> ProgressTask {
        let (total, share) = (someTotal(), someShare())
        let child = parent.beginChild("Part \(number)", share: share, total: total)
        ledger.began(child.id, in: parent.id, total: total, share: share, expected: nil)
        // What has a log line is never folded; both kinds are wanted.
        if chance.oneIn(2) { child.log("Part \(number) is at hand") }
        return child
    }

    /// Ends a task in some way; `false` if its open children are over with it.
    @discardableResult
    private mutating func end(_ task: ProgressTask, with open: [ProgressTask]) -> Bool {
        let amount = chance.number(0...15)
        ledger.amount(amount, of: task.id)
        task.complete(amount)
        switch chance.number(0...9) {
        case 0:
            let reason = "out of paper \(chance.number(1...999))"
            ledger.end(task.id, "failed", reason)
            abandon(open)
            task.fail(reason)
            return false
        case 1:
            let reason = chance.oneIn(2) ? "" : "nobody wants it"
            ledger.end(task.id, "cancelled", reason)
            abandon(open)
            task.endCancelled(reason)
            return false
        default:
            ledger.end(task.id, "succeeded", "")
            task.succeed()
            return true
        }
    }

    private func abandon(_ open: [ProgressTask]) {
        for child in open { ledger.end(child.id, "cancelled", "parent ended") }
    }

    /// Leaves a ticket where the conductor finds it, most often once the broker has it.
    private mutating func makeTicket(in task: ProgressTask) async {
        let share = someShare()
        let ticket = task.makeTicket("Part for somebody else", share: share)
        ledger.made(ticket: ticket.task, in: task.id, share: share)
        if !chance.oneIn(4) { await sync() }
        tickets += 1
        let path = place.tickets + "/\(getpid())-\(tickets)"
        try? Data(ticket.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private mutating func sync() async {
        let patience = chance.milliseconds(100...3_000)
        if await bus.sync(timeout: patience) { ledger.acknowledged() }
        noteWelcome()
    }

    private func noteWelcome() {
        if bus.isConnected { ledger.welcomed() }
    }

    /// Some close with patience, some with next to none, some just return.
    private mutating func leave() async {
        noteWelcome()
        switch chance.number(0...4) {
        case 0: break
        case 1: ledger.closed(await bus.close(timeout: .milliseconds(50)))
        default: ledger.closed(await bus.close(timeout: .seconds(4)))
        }
    }

    private mutating func someTotal() -> Int? {
        chance.oneIn(4) ? nil : chance.oneIn(12) ? 0 : chance.number(1...30)
    }

    private mutating func someShare() -> Int? { chance.oneIn(3) ? nil : chance.number(0...9) }

    private mutating func pause(_ range: ClosedRange<Int>) async {
        try? await Task.sleep(for: chance.milliseconds(range))
        // Nobody would compare what is done from here on.
        if getppid() != conductor { exit(0) }
    }
}
