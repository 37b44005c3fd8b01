import DashboardCore
import ProgressBus

/// A command to tasks, one after the other: finds each, asks back where something would be lost,
/// sends, and prints what everybody said.
struct TaskCommandRun {
    private let verb: BusFollower.Verb
    private let options: TaskCommandOptions
    private let follower: BusFollower

    init(_ verb: BusFollower.Verb, _ options: TaskCommandOptions) {
        self.verb = verb
        self.options = options
        follower = BusFollower(
            BusConfiguration(endpoint: options.endpoint, program: "progressbus \(verb.rawValue)")
        )
    }

    /// Returns if everybody accepted.
    ///
    /// - Throws: `CommandFailure` with the code of the worst answer, or with the reason why there
    ///   is none.
    func run(_ tasks: [String]) async throws {
        defer { follower.close() }
        for task in tasks { try await run(task) }
    }

    private func run(_ task: String) async throws {
        let timeout = Duration.seconds(options.timeout)
        let match: BusFollower.Match
        let answers: [BusFollower.Answer]
        do {
            match = try await follower.find(task, timeout: timeout)
            if verb == .cancel, !options.yes { try await confirm(match, timeout: timeout) }
            answers = try await follower.perform(verb, on: "id:\(match.task)", timeout: timeout)
        } catch let error as FollowError {
            throw CommandFailure(CommandFailure(error).code, PlainText.clean(error.description))
        }
        let verdict = AnswerVerdict(verb, answers, title: PlainText.clean(match.title))
        for line in verdict.lines { try StandardStreams.print(line) }
        if let failure = verdict.failure { throw failure }
    }

    /// The ids of the jobs that have ended, in the order of their slots; of those that failed, or
    /// tell of a failure before them.
    func endedJobs(failed: Bool) async throws -> [String] {
        do {
            let board = try await follower.status(depth: 0, timeout: .seconds(options.timeout))
            let jobs = board.jobs.filter { job in
                job.state.isEnded && (!failed || job.needsAttention)
            }
            return jobs.map { "id:\($0.id)" }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns if nothing would be lost, or the person at the terminal wants that.
    private func confirm(_ match: BusFollower.Match, timeout: Duration) async throws {
        guard let task = try await follower.snapshot(of: match, timeout: timeout),
            let consequence = task.consequence, !consequence.isEmpty
        else { return }
        let question = Confirmation(title: task.title, consequence: consequence)
        guard Confirmation.isPossible else { throw question.impossible }
        guard question.isAnsweredYes() else { throw question.denied }
    }
}
