import ProgressBus
import TaskTree

/// `D`: taking all jobs off the board that have ended, after one question.
extension DashboardModel {
    /// Asks as soon as all jobs are known; at once, unless there are more than a page.
    mutating func askToDismissAll(at now: Moment) {
        guard !refuseReadOnly(at: now) else { return }
        guard frozen == nil else {
            note = Note("the picture is frozen; f goes on", at: now)
            return
        }
        guard dismissal == nil else {
            note = Note("they are being dismissed", at: now)
            return
        }
        dismissal = Dismissal()
        askOnceCounted(at: now)
        if dismissal != nil { note = Note("counting what has ended", at: now) }
    }

    mutating func askOnceCounted(at now: Moment) {
        guard dismissal?.isCounting == true, isBoardComplete else { return }
        dismissal = nil
        // What the filter hides is not what the person sees and means.
        let ended = store.inSlot.sorted { $0.key < $1.key }
            .compactMap { store.rows[$0.value] }
            .filter { $0.state.isEnded && matches($0) }
        if ended.isEmpty {
            note = Note("no job has ended", at: now)
        } else {
            dialog = Dialog(dismissing: ended, matching: filter)
        }
    }

    mutating func dismissAll(_ jobs: [TaskID], _ actions: inout [DashboardAction]) {
        dismissal = Dismissal(isCounting: false, waiting: jobs)
        dismissMore(&actions)
    }

    private mutating func dismissMore(_ actions: inout [DashboardAction]) {
        while var present = dismissal, present.underWay < Dismissal.mostAtOnce,
            let next = present.waiting.first
        {
            present.waiting.removeFirst()
            present.underWay += 1
            dismissal = present
            perform(.dismiss, on: next, title: "", isOneOfMany: true, &actions)
        }
    }

    /// One of them has left, or stays for a reason.
    mutating func dismissedOne(
        _ reason: String?,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        guard var present = dismissal else { return }
        present.underWay -= 1
        if let reason {
            present.refused = (present.refused.count + 1, reason)
        } else {
            present.done += 1
        }
        dismissal = present
        dismissMore(&actions)
        guard let dismissal, dismissal.underWay == 0 else { return }
        self.dismissal = nil
        let jobs = dismissal.done == 1 ? "1 job" : "\(dismissal.done) jobs"
        let (count, words) = dismissal.refused
        note = Note("dismissed \(jobs)" + (count > 0 ? ", \(count) not: \(words)" : ""), at: now)
    }
}
