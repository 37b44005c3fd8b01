import ProgressBus
import TaskTree

/// `D`: dismisses all jobs that have ended, after one question.
extension DashboardModel {
    /// Asks as soon as all jobs are known; at once, unless there are more than a page.
    mutating func askToDismissAll() {
        guard dismissal == nil else { return say("they are being dismissed") }
        dismissal = Dismissal()
        askOnceCounted()
        if dismissal != nil { say("counting what has ended") }
    }

    mutating func askOnceCounted() {
        guard dismissal?.isCounting == true, isBoardComplete else { return }
        dismissal = nil
        // Jobs that the filter hides stay, as the person does not see them.
        let ended = store.inSlot.sorted { $0.key < $1.key }
            .compactMap { store.rows[$0.value] }
            .filter { $0.state.isEnded && matches($0) }
        if ended.isEmpty {
            say("no job has ended")
        } else {
            dialog = Dialog(dismissing: ended, matching: filter)
        }
    }

    mutating func dismissAll(_ jobs: [TaskID]) {
        dismissal = Dismissal(isCounting: false, waiting: jobs)
        dismissMore()
    }

    private mutating func dismissMore() {
        while var present = dismissal, present.underWay < Dismissal.mostAtOnce,
            let next = present.waiting.first
        {
            present.waiting.removeFirst()
            present.underWay += 1
            dismissal = present
            perform(.dismiss, on: next, title: nil)
        }
    }

    /// Counts the answer for one job, which is dismissed or stays for a reason.
    mutating func dismissedOne(_ reason: String?) {
        guard var present = dismissal else { return }
        present.underWay -= 1
        if let reason {
            present.refused = (present.refused.count + 1, reason)
        } else {
            present.done += 1
        }
        dismissal = present
        dismissMore()
        guard let dismissal, dismissal.underWay == 0 else { return }
        self.dismissal = nil
        let jobs = dismissal.done == 1 ? "1 job" : "\(dismissal.done) jobs"
        let (count, words) = dismissal.refused
        say("dismissed \(jobs)" + (count > 0 ? ", \(count) not: \(words)" : ""), isNews: true)
    }
}
