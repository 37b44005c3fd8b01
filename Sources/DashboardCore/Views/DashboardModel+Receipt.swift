import ProgressBus
package import TaskTree

/// What the dashboard leaves outside its screen: the receipt, the title, the taskbar.
extension DashboardModel {
    private static let receiptLimit = 8

    /// What the taskbar of the terminal is to show (OSC 9;4).
    package enum Taskbar: Equatable, Sendable {
        case none
        case normal(percent: Int)
        case error(percent: Int)
        case indeterminate
        case paused(percent: Int)
    }

    /// Plain lines for the scrollback once the screen is gone.
    package func receipt(at now: Moment) -> [String] {
        let store = present
        let seen = store.notLiveSince ?? now
        let age = HumanTime.duration(now.seconds(since: seen))
        let old =
            store.notLiveSince == nil ? [] : ["no word from the broker for \(age); before that:"]
        if let job {
            guard let row = store.row(job.job) ?? job.last else { return [] }
            let left = store.rows[job.job] == nil ? " (has left the board)" : ""
            return old + [TaskSentence(row, at: seen).line + left]
        }
        let jobs = store.inSlot.sorted { $0.key < $1.key }.compactMap { store.row($0.value) }
        // The list is cut at its end: jobs that need attention come first.
        let first = jobs.filter { $0.troubled > 0 } + jobs.filter { $0.troubled == 0 }
        var lines = first.prefix(Self.receiptLimit).map { TaskSentence($0, at: seen).line }
        let more = max(store.broker?.jobs ?? 0, jobs.count) - lines.count
        if more > 0 { lines.append("and \(more) more; progressbus status lists them") }
        return lines.isEmpty ? [] : old + lines
    }

    /// The job that title and taskbar are about: the one that is open, or the selected one.
    private var jobOfTitle: TaskSnapshot? {
        if let id = job?.job ?? mosaic?.job { return present.row(id) ?? job?.last }
        return present.row(store.inSlot[board.slot])
    }

    /// One short line for the title of the terminal.
    package func title(at now: Moment) -> String {
        guard let row = jobOfTitle else { return "progressbus" }
        let sentence = TaskSentence(row, at: present.notLiveSince ?? now)
        return [sentence.percent ?? sentence.word, sentence.title].joined(separator: " ")
    }

    package func taskbar(at now: Moment) -> Taskbar {
        guard let row = jobOfTitle else { return .none }
        let percent = HumanNumbers.wholePercent(row.displayFraction)
        switch row.condition {
        case .failed, .lost: return .error(percent: percent)
        case .paused, .stalled, .silent: return .paused(percent: percent)
        case .running, .cancelling:
            if row.isDeterminate { return .normal(percent: percent) }
            // The terminal animates it by itself.
            return present.connection == .live ? .indeterminate : .none
        case .waiting, .succeeded, .cancelled: return .none
        }
    }
}
