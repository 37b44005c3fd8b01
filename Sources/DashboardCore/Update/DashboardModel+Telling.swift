import ProgressBus
import TaskTree

/// Jobs whose end is told outside of the screen, to a person who looks elsewhere.
extension DashboardModel {
    /// Marks the job of the cursor, or takes the mark away.
    mutating func toggleAlert(at now: Moment) {
        guard !isSelectedHidden, let id = jobOfMessages, let job = store.rows[id] ?? job?.last
        else {
            note = Note("there is no job in this row", at: now)
            return
        }
        if alerts.removeValue(forKey: job.id) != nil {
            note = Note("the end of \"\(job.title)\" is not told any more", at: now)
        } else if job.state.isEnded {
            note = Note("\"\(job.title)\" has ended", at: now)
        } else {
            // The broker says where it is, wherever one looks meanwhile.
            alerts[job.id] = Alert(title: job.title, slot: job.slot)
            note = Note("the end of \"\(job.title)\" will be told by the terminal", at: now)
        }
    }

    /// Tells of those that have ended.
    mutating func tellEnds(at now: Moment, _ actions: inout [DashboardAction]) {
        for (id, alert) in alerts.sorted(by: { $0.key < $1.key }) {
            let words: String
            if let row = present.rows[id] {
                alerts[id]?.slot = row.slot
                guard row.state.isEnded else { continue }
                words = TaskSentence(row, at: now).line
            } else {
                // Gone from its page, which is here: it has ended and left.
                guard present.isComplete, let slot = alert.slot,
                    present.members[Self.page(of: slot)] != nil
                else { continue }
                words = "\(PlainText.clean(alert.title)): has left the board"
            }
            alerts[id] = nil
            note = Note(words, at: now)
            actions.append(.tell(words))
        }
    }

    /// Hands the id of the task of the cursor to the terminal's clipboard.
    mutating func copyID(at now: Moment, _ actions: inout [DashboardAction]) {
        guard let id = selected, !isSelectedHidden else {
            note = Note("there is no task in this row", at: now)
            return
        }
        actions.append(.copy(id.description))
        note = Note("copied id:\(id), if the terminal takes it", at: now)
    }
}
