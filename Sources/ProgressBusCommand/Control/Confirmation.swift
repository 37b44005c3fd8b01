import DashboardCore
import ProcessControl

/// The question whether to cancel a task although something would be lost.
struct Confirmation {
    private let title: String
    private let consequence: String

    /// Cleans both texts, which come from the task and are not trusted.
    init(title: String, consequence: String) {
        self.title = PlainText.clean(title)
        self.consequence = PlainText.clean(consequence)
    }

    /// Whether there is somebody who sees the question and can answer.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// The question, as it stands on the terminal.
    var question: String { "Cancel \"\(title)\"? This would be lost: \(consequence) [y/N] " }

    /// Asks on standard error and reads a line; an end of input is a no.
    func isAnsweredYes() -> Bool {
        _ = writeBytes(question.utf8, to: STDERR_FILENO)
        return Self.meansYes(readLine())
    }

    /// Whether a line is a yes; everything else is a no.
    static func meansYes(_ line: String?) -> Bool {
        ["y", "yes"].contains(line?.trimmingSpaces.lowercased())
    }

    /// The failure if nobody can be asked.
    var impossible: CommandFailure {
        CommandFailure(
            .noPermission,
            "nothing was sent: cancelling \"\(title)\" would lose this: \(consequence) - give "
                + "--yes if that is meant"
        )
    }

    /// The failure if the answer is no.
    var denied: CommandFailure {
        CommandFailure(.noPermission, "nothing was sent; \"\(title)\" goes on")
    }
}
