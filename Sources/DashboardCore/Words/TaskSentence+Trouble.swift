import CellScreen
import ProgressBus
import TaskTree

/// What is wrong with a task, and what a person can do about it.
extension TaskSentence {
    /// Seconds after which a request to stop counts as unanswered.
    private static let patience = 10.0

    /// The state in a word; what is wrong counts before what is going on.
    package var word: String {
        let isAsked = askedSecondsAgo != nil && [.running, .paused].contains(row.condition)
        return (isAsked ? TaskCondition.cancelling : row.condition).word
    }

    /// "no advance for 14 s": what is wrong, short; `nil` if nothing is.
    package var problem: String? {
        if let request, row.condition != .silent { return request }
        switch row.condition {
        case .stalled:
            return "no advance" + stallDuration
        case .silent:
            return "no word from \(process)" + (note.map { ", " + $0 } ?? "")
        case .lost:
            // A task lost with its parent needs only the word: the row of the parent tells the
            // cause.
            return row.needsAttention || row.depth == 0 ? "lost: " + loss : nil
        case .waiting:
            return hasParentEnded
                ? "nobody has begun it, and what it is part of has ended"
                : "nobody has begun it yet"
        case .failed:
            return "failed" + (reason.map { ": " + $0 } ?? exit)
        case .cancelled:
            return reason.map { "cancelled: " + $0 }
        case .succeeded:
            // An earlier run of it failed, and nobody has dismissed that.
            return row.needsAttention ? note : nil
        case .running, .paused, .cancelling:
            return nil
        }
    }

    /// The problem; if it takes more columns, without the first of a command's last lines.
    ///
    /// The last line mostly tells why the command failed, so it stays, however long it is.
    func problem(columns: Int) -> String? {
        guard let problem, row.condition == .failed, let reason,
            let cause = reason.firstRange(of: ": "), problem.hasSuffix(reason)
        else { return self.problem }
        var lines = reason[cause.upperBound...].split(separator: " | ")
        let beginning = problem.dropLast(reason.count) + reason[..<cause.upperBound] + "..."
        var text = problem
        while lines.count > 1, DisplayText.width(of: text) > columns {
            lines.removeFirst()
            text = ([String(beginning)] + lines.map(String.init)).joined(separator: " | ")
        }
        return text
    }

    /// "wait, look at the process, or cancel it"; `nil` if nothing is wrong.
    package var suggestedAction: String? {
        if hasNoAnswer, row.condition != .silent { return "wait, or look at \(process)" }
        switch row.condition {
        case .stalled:
            return row.options.isCancellable && request == nil
                ? "wait, look at the \(worker), or cancel it" : "wait, or look at the \(worker)"
        case .silent: return "wait, or look at the \(worker)"
        case .lost where mayStillRun:
            return "look whether it still works before you start it again, or dismiss the task"
        case .lost: return "start it again, or dismiss the task"
        case .waiting:
            return hasParentEnded
                ? "wait until it is given up" : "start what is to do it, or wait"
        case .failed where row.depth == 0:
            return "look at the reason\(exit); start it again, or dismiss it"
        case .succeeded where row.needsAttention: return "look at what failed, then dismiss it"
        case .running, .paused, .cancelling, .succeeded, .failed, .cancelled: return nil
        }
    }

    /// What is wrong, in full, and what a person can do; `nil` for a task that needs nobody.
    package var advice: String? {
        guard let suggestedAction else { return nil }
        switch row.condition {
        case .stalled where !hasNoAnswer:
            // Nobody knows whether a script still runs.
            let life = row.process == nil ? "" : ", but \(process) is alive"
            return "no advance\(stallDuration)\(life): \(suggestedAction)"
        case .silent:
            return "no word from \(process): \(note ?? suggestedAction)"
        case .lost where row.process != nil: return "\(loss): \(suggestedAction)"
        case .failed: return suggestedAction
        default: return "\(problem ?? word): \(suggestedAction)"
        }
    }

    /// The one thing to say beside the numbers: what is wrong, else what the broker adds, else what
    /// the task says it is doing.
    package var remark: String {
        if let problem { return problem }
        let isOver = note != nil || row.state.isEnded
        let said = isOver ? [place, note] : [place, totalRemark, detail]
        return said.compactMap(\.self).joined(separator: " - ")
    }

    /// "on node2", if `saysHost` is set and neither the title nor the problem names the host.
    var place: String? {
        guard saysHost, !row.host.isEmpty else { return nil }
        let place = "on " + PlainText.clean(row.host)
        // `progressbus ssh` and `run --on` say it behind the command.
        if row.title.hasSuffix(" " + place) { return nil }
        switch row.condition {
        // The problem names the host of the process, which is that of the task as a rule.
        case .silent, .lost: return row.options.host.isEmpty ? nil : place
        default: return place
        }
    }

    /// "total grew from 500 to 900", or "more than the total of 500" if the amount leaves the total
    /// out.
    package var totalRemark: String? {
        guard let total = row.total, !isPercentage else { return nil }
        // Plain numbers share the unit of the amounts that are said beside this.
        func amount(_ number: Int64) -> String {
            HumanNumbers.amount(number, unit: row.unit == "bytes" ? row.unit : "")
        }
        if row.completed > total { return "more than the total of " + amount(total) }
        guard let before = row.totalBefore, total > before else { return nil }
        return "total grew from \(amount(before)) to \(amount(total))"
    }

    /// "cancelling"; after a while "asked 12 s ago, goes on".
    private var request: String? {
        guard row.state == .cancelling || askedSecondsAgo != nil && !row.state.isEnded else {
            return nil
        }
        guard hasNoAnswer, let ago = askedSecondsAgo else {
            // "no advance" tells more, and fits the mark of a stalled task.
            return row.condition == .stalled ? nil : "cancelling"
        }
        return "asked \(HumanTime.duration(ago)) ago, goes on"
    }

    /// Whether the process of a lost task may still run: the reason from the broker is only silence
    /// ("no word …"), or a revoked key.
    private var mayStillRun: Bool {
        guard let reason, row.exit == nil else { return false }
        return reason.hasPrefix("no word") || reason.hasSuffix("was revoked")
    }

    private var loss: String {
        if mayStillRun || row.process == nil { return reason ?? "nobody knows why" }
        return "\(process) is gone\(exit)"
    }

    private var hasNoAnswer: Bool {
        !row.state.isEnded && (askedSecondsAgo ?? 0) >= Self.patience
    }

    private var stallDuration: String {
        row.secondsSinceAdvance
            .map { " for " + HumanTime.duration($0 + row.age(at: now)) } ?? ""
    }

    private var process: String {
        // Only a task of `progressbus begin` has no process.
        guard let process = row.process else { return "its script" }
        return "process \(process.pid) on \(PlainText.clean(process.host))"
    }

    private var worker: String { row.process == nil ? "script" : "process" }

    private var exit: String {
        switch row.exit {
        case .status(let status): " (exit status \(status))"
        case .signal(let signal): " (ended by signal \(signal))"
        case nil: ""
        }
    }
}
