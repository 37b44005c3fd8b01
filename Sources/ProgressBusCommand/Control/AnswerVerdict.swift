import ArgumentParser
import DashboardCore
import ProgressBus
import TaskTree

/// The result of the answers to a command: a line for each, and the failure if there is one.
struct AnswerVerdict {
    /// A line for each session that answered, in the order of the answers.
    let lines: [String]
    /// Why the command has not succeeded; `nil` if every session accepted.
    let failure: CommandFailure?

    /// Cleans the texts of the answers, which are not trusted; the caller has cleaned `title`.
    init(
        _ verb: TaskRequest,
        _ answers: [SessionAnswer],
        task: TaskID,
        title: String
    ) {
        lines = answers.map { answer in
            verb == .dismiss ? Self.line(answer, "\(title) (\(task))") : Self.line(answer)
        }
        failure = Self.failure(verb, answers.map(\.outcome), title)
    }

    private static func line(_ answer: SessionAnswer) -> String {
        var line = word(answer.outcome)
        if let process = answer.process {
            line += ": process \(process.pid) on \(PlainText.clean(process.host))"
        } else if let session = answer.session {
            line += ": session \(session)"
        }
        let text = PlainText.clean(answer.text)
        return text.isEmpty ? line : line + ": " + text
    }

    /// The line for the broker's answer to a dismissal; it names the job, one of many with `--all`.
    private static func line(_ answer: SessionAnswer, _ dismissed: String) -> String {
        let text = PlainText.clean(answer.text)
        guard answer.outcome == .accepted else {
            return "\(word(answer.outcome)): \(dismissed): \(text)"
        }
        // The answer may say more behind its first semicolon.
        let more = text.split(separator: "; ", maxSplits: 1).dropFirst().first
        return "dismissed: " + dismissed + (more.map { ": \($0)" } ?? "")
    }

    private static func word(_ outcome: SessionAnswer.Outcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .refused: "refused"
        case .unsupported: "unsupported"
        case .gone: "gone"
        case .noAnswer: "no answer"
        }
    }

    /// The failure of the worst outcome: refused or unsupported, then no answer, then gone.
    private static func failure(
        _ verb: TaskRequest,
        _ outcomes: [SessionAnswer.Outcome],
        _ title: String
    ) -> CommandFailure? {
        let count = outcomes.count
        func of(_ number: Int) -> String { count == 1 ? "" : "\(number) of \(count) sessions: " }
        let unwilling = outcomes.count { $0 == .refused || $0 == .unsupported }
        let silent = outcomes.count { $0 == .noAnswer }
        let gone = outcomes.count { $0 == .gone }
        if unwilling > 0 {
            let hint =
                verb == .dismiss
                ? "wait for its end, or cancel it first"
                : "its processes decide that; `progressbus status` shows where it stands"
            return CommandFailure(
                .noPermission,
                "\(of(unwilling))\"\(title)\" does not \(verb.rawValue) on request; \(hint)"
            )
        }
        if silent > 0 || outcomes.isEmpty {
            return CommandFailure(
                .temporaryFailure,
                "\(of(silent))no answer in time about \"\(title)\"; look at `progressbus status`, "
                    + "then try again, with a longer --timeout if need be"
            )
        }
        if gone > 0 {
            let hint =
                verb == .dismiss
                ? "" : "; an ended job is taken off the board with `progressbus dismiss`"
            return CommandFailure(
                .unavailable,
                "\(of(gone))no process works on \"\(title)\" any more\(hint)"
            )
        }
        return nil
    }
}
