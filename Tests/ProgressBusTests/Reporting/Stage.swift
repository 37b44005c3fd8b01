import BusProtocol
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

/// A machine with a clock that the test moves and a broker that the test plays.
struct Stage {
    var machine: ReportingMachine
    var now = Moment(nanoseconds: 1_000_000_000)

    /// What was sent and taken, in order.
    var reports: [WireReport] = []
    var frames: [WireClientFrame] = []
    var finished: [UInt64: Bool] = [:]
    var warnings: [String] = []
    var deliveries: [RequestDelivery] = []
    var deliveredCount = 0
    var hasLeft = false
    var lastWords: [LastWords] = []

    /// Whether the sockets take anything at present.
    var takesReports = true
    var takesControl = true
    /// How often a report was refused by the socket.
    var refusedReports = 0

    static let session = SessionID(rawValue: 7)

    init(tickMilliseconds: Int64 = 50) {
        machine = ReportingMachine(
            identity: ReportingMachine.Identity(
                session: Self.session,
                credential: [UInt8](repeating: 9, count: 16)
            ),
            tickNanoseconds: tickMilliseconds * 1_000_000
        )
    }

    var heartbeats: [WireHeartbeat] {
        frames.compactMap {
            if case .heartbeat(let heartbeat)? = $0.body { heartbeat } else { nil }
        }
    }

    // MARK: - Time

    /// Does everything that is due now; returns when the machine wants to be asked again.
    @discardableResult
    mutating func run() -> Moment? {
        for _ in 0..<100_000 {
            switch machine.next(at: now) {
            case .report(let report):
                if takesReports { reports.append(report) } else { refusedReports += 1 }
                machine.reportTaken(takesReports, at: now)
            case .control(let frame):
                if takesControl { frames.append(frame) }
                machine.controlTaken(takesControl, at: now)
            case .deliver(let delivery): deliveries.append(delivery)
            case .finish(let waiter, let isDone): finished[waiter] = isDone
            case .spool(let words): lastWords.append(words)
            case .warn(let sentence): warnings.append(sentence)
            case .wait(let until):
                if let until, until <= now { continue }
                return until
            case .leave:
                hasLeft = true
                return nil
            }
        }
        Issue.record("the machine never rests")
        return nil
    }

    /// Lets this much time go by, doing what is due when it is due.
    mutating func pass(milliseconds: Int64) {
        let end = now.later(by: milliseconds * 1_000_000)
        while !hasLeft, let due = run(), due <= end {
            now = due
        }
        now = end
        if !hasLeft { run() }
    }

    // MARK: - The broker

    mutating func subscribe() {
        machine.subscribed(at: now)
        run()
    }

    mutating func unsubscribe() {
        machine.unsubscribed(at: now)
        run()
    }

    mutating func welcome(epoch: UInt64 = 1) {
        var frame = WireBrokerFrame()
        frame.epoch = epoch
        frame.welcome.heartbeat = 1_000
        receive(frame)
    }

    mutating func connect(epoch: UInt64 = 1) {
        subscribe()
        welcome(epoch: epoch)
    }

    mutating func receive(_ frame: WireBrokerFrame) {
        machine.received(frame, at: now)
        run()
    }

    mutating func answer(epoch: UInt64 = 1, _ fill: (inout WireBrokerFrame) -> Void) {
        var frame = WireBrokerFrame()
        frame.epoch = epoch
        fill(&frame)
        receive(frame)
    }

    /// Acknowledges all endings that were sent and not acknowledged so far.
    mutating func journalEverything(epoch: UInt64 = 1) {
        for sequence in machine.endings.outstanding.keys.sorted() {
            answer(epoch: epoch) { $0.endingsJournalled.sequence = sequence }
        }
    }

    // MARK: - The program

    @discardableResult
    mutating func begin(
        _ title: String = "task",
        under parent: UInt64? = nil,
        total: Int64? = nil,
        _ change: (inout TaskDescription) -> Void = { _ in }
    ) -> UInt64 {
        let link = parent.map { ParentLink.task(TaskID(index: $0, session: Self.session)) }
        var description = TaskDescription(parent: link ?? .none, title: title)
        change(&description)
        let record = ReportedTask(description)
        record.total = total
        return machine.begin(record, below: parent ?? 0, at: now)
    }

    @discardableResult
    mutating func end(_ index: UInt64, _ state: StatedState = .succeeded) -> RequestEffects {
        machine.end(index, state, at: now)
    }

    mutating func withdraw(_ index: UInt64) {
        machine.end(index, .cancelled(reason: ""), isWithdrawn: true, at: now)
    }

    /// What the handle of a task does in `advance`.
    mutating func advance(_ index: UInt64, by step: Int64 = 1) {
        guard let cell = machine.tasks[index] else { return }
        if cell.advance(by: step) { machine.list(index, at: now) }
    }

    // MARK: - Reading what was sent

    var endings: [WireEnding] { frames.flatMap { $0.endings.endings } }
    var folds: [WireFold] { frames.flatMap { $0.endings.folds } }
    var hellos: Int {
        frames.count { if case .hello? = $0.body { true } else { false } }
    }

    /// The newest amount that reports have stated for a task.
    func reported(_ index: UInt64) -> Int64? {
        for report in reports.reversed() {
            if let row = report.amountIndex.lastIndex(of: index) { return report.completed[row] }
        }
        return nil
    }

    /// Every frame passes the checks of the receiving side.
    func checkFrames() throws {
        for report in reports { _ = try Frame.decodeReport(Frame.encode(report)) }
        for frame in frames { _ = try Frame.decodeClient(Frame.encode(frame)) }
    }
}

/// The macros of the testing library cannot look into atomics themselves.
extension ReportedTask {
    var isSetEnded: Bool { hasEnded.load(ordering: .relaxed) }
}
