import DashboardCore
import ProcessControl
import ProgressBus

/// Takes the lines of a script one after the other, counts the bad ones and carries out the rest on
/// the bus.
struct ReportInterpreter {
    private let bus: BusClient
    private var names: ReportNames
    private var tasks: [String: ProgressTask] = [:]
    private var lineNumber = 0
    private(set) var badLines = 0

    /// Creates an interpreter; `root` is the program's own task, if any, and has these `options`.
    init(bus: BusClient, root: ProgressTask?, options: ReportOperation.Options) {
        self.bus = bus
        names = ReportNames(hasRoot: root != nil)
        if let root { adopt(root, id: ReportNames.root, options: options) }
    }

    /// Carries out one line; a bad one is named on standard error.
    mutating func accept(_ line: LineSplitter.Line) async {
        lineNumber += 1
        do throws(ReportLineError) {
            guard let operation = try operation(of: line) else { return }
            let accepted = try names.accept(operation)
            guard let event = await perform(accepted) else { return }
            // The work goes on if nobody reads standard output.
            try? StandardStreams.print(event.line)
        } catch {
            badLines += 1
            StandardStreams.complain("line \(lineNumber): \(error.description)")
        }
    }

    /// Ends the tasks that still run, because the writer of the input may have crashed.
    ///
    /// If `finish` is `failed` and only a root is open that the environment asked for, the root
    /// succeeds: the input need not know of it.
    mutating func finish(_ finish: ReportOperation.EndState, isRootImplied: Bool) {
        if isRootImplied, finish == .failed, names.openTasks == [ReportNames.root] {
            return end(ReportNames.root, .succeeded)
        }
        let reason = "the input of `progressbus report` ended before this had"
        for id in names.openTasks {
            end(id, finish, reason: finish == .failed ? reason : nil)
        }
    }

    private func operation(
        of line: LineSplitter.Line
    ) throws(ReportLineError) -> ReportOperation? {
        switch line {
        case .tooLong:
            throw ReportLineError("it is longer than 1 MiB; write shorter lines")
        case .line(let bytes):
            let blanks = Set(" \t\r".utf8)
            guard !bytes.allSatisfy(blanks.contains) else { return nil }
            return try ReportOperation(parsing: bytes) { fields in
                guard !fields.unread.isEmpty else { return }
                let list = fields.unread.map { "\"\(PlainText.clean($0))\"" }.joined(
                    separator: ", "
                )
                StandardStreams.complain("line \(lineNumber): \(list) means nothing here; ignored")
            }
        }
    }

    // MARK: - On the bus

    /// Carries out one operation; returns the event that answers the script, if there is one.
    private mutating func perform(_ operation: ReportOperation) async -> ReportEvent? {
        switch operation {
        case .begin(let begin):
            start(begin)
        case .redeem(let redeem):
            start(redeem)
        case .update(let update):
            tasks[update.id].map { Self.apply(update, to: $0) }
        case .advance(let id, let step):
            tasks[id]?.advance(by: step)
        case .end(let id, let state, let reason):
            end(id, state, reason: reason)
        case .ticket(let ticket):
            return tasks[ticket.parent].map { parent in
                let made = parent.makeTicket(ticket.title, share: ticket.share)
                return .ticket(id: ticket.id, ticket: made.text)
            }
        case .log(let id, let text):
            tasks[id]?.log(text)
        case .sync:
            return .synced(isComplete: await bus.sync(timeout: .seconds(5)))
        }
        return nil
    }

    private mutating func start(_ begin: ReportOperation.Begin) {
        let options = begin.options
        let unit = options.unit.map { ProgressUnit($0) } ?? .items
        let task: ProgressTask
        if let parent = begin.parent.flatMap({ tasks[$0] }) {
            task = parent.beginChild(
                begin.title,
                share: options.share,
                total: options.total,
                unit: unit,
                options: options.task
            )
        } else {
            task = bus.beginJob(
                begin.title,
                key: options.key,
                total: options.total,
                unit: unit,
                options: options.task
            )
        }
        adopt(task, id: begin.id, options: options)
    }

    private mutating func start(_ redeem: ReportOperation.Redeem) {
        let task = bus.redeem(
            redeem.ticket,
            title: redeem.title,
            total: redeem.options.total,
            unit: redeem.options.unit.map { ProgressUnit($0) },
            options: redeem.options.task
        )
        // Never `nil`: the ticket's text was checked when its line was read.
        if let task { adopt(task, id: redeem.id, options: redeem.options) }
    }

    private mutating func adopt(
        _ task: ProgressTask,
        id: String,
        options: ReportOperation.Options
    ) {
        tasks[id] = task
        options.detail.map(task.setDetail)
        // A request counts as accepted once it is written.
        @Sendable func announce(_ request: TaskRequest) throws(RequestRefusal) {
            do {
                try StandardStreams.print(ReportEvent.request(request, id: id).line)
            } catch {
                throw RequestRefusal("The script of this task reads no requests any more.")
            }
        }
        if options.task.isCancellable {
            task.onCancel { try announce(.cancel) }
        }
        if options.task.isPausable {
            task.onPause { try announce(.pause) }
            task.onResume { try announce(.resume) }
        }
    }

    private static func apply(_ update: ReportOperation.Update, to task: ProgressTask) {
        switch update.total {
        case .known(let total):
            if let isEstimate = update.totalIsEstimate {
                task.setTotal(total, isEstimate: isEstimate)
            } else {
                task.setTotal(total)
            }
        case .unknown: task.clearTotal()
        case nil: break
        }
        update.completed.map { task.complete($0) }
        update.title.map(task.setTitle)
        update.detail.map(task.setDetail)
        update.share.map { task.setShare($0) }
        update.expectedChildren.map { task.expectChildren($0) }
        switch update.isPaused {
        case true?: task.pause()
        case false?: task.resume()
        case nil: break
        }
    }

    /// States an ending and forgets the task.
    private mutating func end(
        _ id: String,
        _ state: ReportOperation.EndState,
        reason: String? = nil
    ) {
        guard let task = tasks.removeValue(forKey: id) else { return }
        switch state {
        case .succeeded: task.succeed()
        case .failed: task.fail(reason ?? "")
        case .cancelled: task.endCancelled(reason ?? "")
        }
    }
}
