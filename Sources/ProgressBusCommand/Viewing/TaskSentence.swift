import ProgressBus
import TaskTree

/// One task in words: how far it is, how fast, how long still, and what is wrong with it.
///
/// Plain ASCII besides what the task itself says, so that any terminal, log or reader shows it.
struct TaskSentence {
    let task: TaskSnapshot

    /// "Encode: 42%, 42 of 100 files, 3.1 files/s, about 20 s left - episode 3".
    var line: String {
        let title = task.title.isEmpty ? task.id.description : task.title
        var text = PlainText.clean(title) + ": " + facts.joined(separator: ", ")
        if !task.detail.isEmpty, !task.state.isEnded {
            text += " - " + PlainText.clean(task.detail)
        }
        if !task.note.isEmpty { text += " (" + PlainText.clean(task.note) + ")" }
        return text
    }

    /// What a person can do about a task that needs one; `nil` for one that does not.
    var advice: String? {
        if task.isSilent, !task.state.isEnded {
            return "no word from \(process): wait, or look at the process"
        }
        if task.isStalled, !task.state.isEnded {
            let since = task.secondsSinceAdvance.map { " for " + HumanTime.duration($0) } ?? ""
            let cancel = task.isCancellable ? ", or cancel it" : ""
            return "no advance\(since), but \(process) is alive: wait, look at the process\(cancel)"
        }
        switch task.state {
        case .lost:
            return "\(process) is gone\(exit): start it again, or dismiss the task"
        case .waiting:
            return "nobody has begun it yet: start what is to do it, or wait"
        case .failed where task.depth == 0:
            return "look at the reason\(exit); start it again, or dismiss it"
        case .running, .paused, .cancelling, .succeeded, .failed, .cancelled:
            return nil
        }
    }

    /// The state in a word; what is wrong counts before what is going on.
    var word: String {
        if !task.state.isEnded {
            if task.isSilent { return "silent" }
            if task.isStalled { return "stalled" }
        }
        return task.state == .succeeded ? "done" : task.state.rawValue
    }

    /// Whether only counts say how far a parent is, as nobody knows what is still to come.
    var isMeasuredByCounts: Bool {
        task.total == nil && task.expectedChildren == nil && task.counts.sum > 0
    }

    private var facts: [String] {
        var facts: [String] = []
        if task.state == .succeeded || task.state == .waiting {
            facts.append(word)
        } else {
            if word != "running" { facts.append(wordWithReason) }
            if let share = percent { facts.append(share) }
        }
        facts += counts
        facts += amounts
        if task.attempt > 1 { facts.append("attempt \(task.attempt)") }
        if task.state.isEnded {
            if let elapsed = task.elapsed { facts.append("after " + HumanTime.duration(elapsed)) }
        } else {
            facts += pace
        }
        return facts.isEmpty ? [word] : facts
    }

    private var wordWithReason: String {
        guard let reason = task.reason, task.state.isEnded else { return word }
        return "\(word): \(PlainText.clean(reason))"
    }

    private var percent: String? {
        guard !task.isIndeterminate, !isMeasuredByCounts else { return nil }
        return HumanNumbers.percent(task.displayFraction)
    }

    private var counts: [String] {
        let counts = task.counts
        guard counts.sum > 0 else { return [] }
        var parts: [String] = []
        for (count, word) in [
            (counts.succeeded, "done"), (counts.running, "running"), (counts.waiting, "waiting"),
            (counts.failed, "failed"), (counts.cancelled, "cancelled"), (counts.lost, "lost"),
        ] where count > 0 {
            parts.append("\(HumanNumbers.grouped(Int64(count))) \(word)")
        }
        return parts
    }

    private var amounts: [String] {
        if let total = task.total {
            guard total > 0 else { return [] }
            let ratio = HumanNumbers.ratio(task.completed, of: total, unit: unit)
            let grown = task.totalBefore.map {
                " (total grew from \(HumanNumbers.amount($0, unit: unit)))"
            }
            return [(task.totalIsEstimate ? ratio + " or so" : ratio) + (grown ?? "")]
        }
        if task.completed > 0 { return [HumanNumbers.amount(task.completed, unit: unit)] }
        return task.sums.prefix(3).map { sum in
            let unit = PlainText.clean(sum.unit)
            return sum.total > 0
                ? HumanNumbers.ratio(sum.completed, of: sum.total, unit: unit)
                : HumanNumbers.amount(sum.completed, unit: unit)
        }
    }

    private var pace: [String] {
        guard task.state == .running, !task.isStalled, !task.isSilent else { return [] }
        var pace: [String] = []
        if let rate = task.rate.flatMap({ HumanNumbers.rate($0, unit: unit) }) { pace.append(rate) }
        if let left = task.secondsLeft, !isMeasuredByCounts {
            pace.append(HumanTime.about(left) + " left")
        }
        return pace
    }

    private var unit: String { PlainText.clean(task.unit) }

    private var process: String {
        guard let process = task.process else { return "its process" }
        return "process \(process.pid) on \(PlainText.clean(process.host))"
    }

    private var exit: String {
        switch task.exit {
        case .status(let status): " (exit status \(status))"
        case .signal(let signal): " (ended by signal \(signal))"
        case nil: ""
        }
    }
}
