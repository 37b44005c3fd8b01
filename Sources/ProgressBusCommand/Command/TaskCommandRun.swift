import DashboardCore
import ProgressBus

/// One command to one task: finds it, asks back where something would be lost, sends, and prints
/// what everybody said.
struct TaskCommandRun {
    private let verb: BusFollower.Verb
    private let arguments: TaskCommandArguments
    private let follower: BusFollower

    init(_ verb: BusFollower.Verb, _ arguments: TaskCommandArguments) {
        self.verb = verb
        self.arguments = arguments
        follower = BusFollower(
            BusConfiguration(endpoint: arguments.endpoint, program: "progressbus \(verb.rawValue)")
        )
    }

    /// Returns if everybody accepted.
    ///
    /// - Throws: `CommandFailure` with the code of the worst answer, or with the reason why there
    ///   is none.
    func run() async throws {
        defer { follower.close() }
        let timeout = Duration.seconds(arguments.timeout)
        let match: BusFollower.Match
        let answers: [BusFollower.Answer]
        do {
            match = try await follower.find(arguments.task, timeout: timeout)
            if verb == .cancel, !arguments.yes { try await confirm(match, timeout: timeout) }
            answers = try await follower.perform(verb, on: "id:\(match.task)", timeout: timeout)
        } catch let error as FollowError {
            throw CommandFailure(CommandFailure(error).code, PlainText.clean(error.description))
        }
        let verdict = AnswerVerdict(verb, answers, title: PlainText.clean(match.title))
        for line in verdict.lines { try StandardStreams.print(line) }
        if let failure = verdict.failure { throw failure }
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
