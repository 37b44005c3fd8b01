import ProgressBus

/// The tree as one short line for a prompt or a status bar; never an average of unrelated jobs.
enum StatusLine {
    private static let titleLimit = 24

    /// "Back up photos 42% about 4 min, 2 more running, 1 needs attention"; empty without jobs.
    static func text(for board: Board) -> String {
        var parts: [String] = []
        let running = board.jobs.filter { !$0.state.isEnded && $0.state != .waiting }
        if let first = running.first {
            parts.append(short(first))
            if running.count > 1 { parts.append("\(running.count - 1) more running") }
        }
        let attention = board.broker?.needingAttention ?? 0
        if attention > 0 {
            parts.append("\(attention) need\(attention == 1 ? "s" : "") attention")
        }
        return parts.joined(separator: ", ")
    }

    private static func short(_ job: TaskSnapshot) -> String {
        let sentence = TaskSentence(task: job)
        var words = [PlainText.cut(PlainText.clean(job.title), to: titleLimit)]
        if !job.isIndeterminate, !sentence.isMeasuredByCounts {
            words.append(HumanNumbers.percent(job.displayFraction))
        } else if job.counts.sum > 0 {
            words.append("\(job.counts.succeeded) done")
        }
        if sentence.word != "running" {
            words.append(sentence.word)
        } else if let left = job.secondsLeft, !sentence.isMeasuredByCounts {
            words.append(HumanTime.about(left))
        }
        return words.joined(separator: " ")
    }
}
