import DashboardCore
import ProgressBus
import TaskTree

/// Sends a request about tasks: finds each, confirms a loss, sends, and prints the answers.
struct TaskRequestSender {
    /// How long to wait before a broker that was too busy is asked again.
    private static let pause = Duration.milliseconds(100)

    private let verb: TaskRequest
    private let options: TaskCommandOptions
    /// Whether the person at the terminal must confirm when a task would lose something.
    private let asks: Bool
    private let follower: BusFollower

    init(_ verb: TaskRequest, _ options: TaskCommandOptions, asks: Bool = false) {
        self.verb = verb
        self.options = options
        self.asks = asks
        follower = options.bus.follower(for: verb.rawValue)
    }

    /// Sends the request for each of the tasks in turn; returns if every session accepted.
    ///
    /// - Throws: `CommandFailure` with the code of the worst answer, or of the reason why there is
    ///   none.
    func run(_ tasks: [String]) async throws {
        defer { follower.close() }
        try await options.bus.ensureBrokerIfAnyWas()
        var failures = TaskFailures()
        for task in tasks {
            try await failures.collect { try await ask(task) }
        }
        try failures.throwWorst()
    }

    private func ask(_ task: String) async throws {
        let match = try await follower.find(TaskSelector(task), timeout: timeout)
        if asks { try await confirm(match, timeout: timeout) }
        let answers = try await follower.perform(verb, on: .id(match.task), timeout: timeout)
        try tell(answers, about: match.task, title: match.title)
    }

    /// Dismisses the jobs that have ended, with `failed` those that need attention, in slot order.
    ///
    /// - Throws: As ``run(_:)`` after the last job; at once if the broker does not answer.
    func dismissEnded(failed: Bool) async throws {
        defer { follower.close() }
        try await options.bus.ensureBrokerIfAnyWas()
        do {
            let board = try await follower.status(depth: 0, timeout: timeout)
            let jobs = board.jobs.filter { job in
                job.state.isEnded && (!failed || job.needsAttention)
            }
            if jobs.isEmpty { try StandardStreams.print("nothing to dismiss") }
            var failures = TaskFailures()
            for job in jobs {
                try await failures.collect {
                    // A job that has left the board meanwhile needs no dismissal.
                    guard let answers = try await answers(about: job.id) else { return }
                    try tell(answers, about: job.id, title: job.title)
                }
            }
            try failures.throwWorst()
        } catch let error as FollowError {
            throw CommandFailure(error)
        }
    }

    private var timeout: Duration { .seconds(options.timeout) }

    /// Returns the answers, or `nil` if there is no such task.
    ///
    /// If the broker is busy, asks it again until `timeout` is over.
    private func answers(about task: TaskID) async throws -> [SessionAnswer]? {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try await follower.perform(verb, on: .id(task), timeout: timeout)
            } catch {
                if error.code == .noSuchTask { return nil }
                guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Prints the answers; throws if a session did not accept.
    private func tell(
        _ answers: [SessionAnswer],
        about task: TaskID,
        title: String
    ) throws {
        let verdict = AnswerVerdict(verb, answers, task: task, title: PlainText.clean(title))
        for line in verdict.lines { try StandardStreams.print(line) }
        if let failure = verdict.failure { throw failure }
    }

    /// Returns if nothing would be lost, or if the person at the terminal accepts the loss.
    private func confirm(_ match: TaskMatch, timeout: Duration) async throws {
        guard let task = try await follower.snapshot(of: match, timeout: timeout),
            !task.options.consequence.isEmpty
        else { return }
        let question = Confirmation(title: task.title, consequence: task.options.consequence)
        guard Confirmation.isPossible else { throw question.impossible }
        guard question.isAnsweredYes() else { throw question.denied }
    }
}
