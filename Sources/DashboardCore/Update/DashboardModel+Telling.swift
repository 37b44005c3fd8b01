import ProgressBus
import TaskTree

/// Alerts: the terminal announces the end of a job to a person who looks elsewhere.
extension DashboardModel {
    /// Sets or removes the alert for the job of the cursor.
    mutating func toggleAlert() {
        guard !isSelectedHidden, let id = jobOfMessages, let job = store.rows[id] ?? job?.last
        else { return say("there is no job in this row") }
        if alerts.removeValue(forKey: job.id) != nil {
            say("the end of \"\(job.title)\" is not told any more")
        } else if job.state.isEnded {
            say("\"\(job.title)\" has ended")
        } else {
            // The dashboard follows this slot, whatever the screen shows meanwhile.
            alerts[job.id] = Alert(title: job.title, slot: job.slot)
            say("the end of \"\(job.title)\" will be told by the terminal")
        }
    }

    /// Announces the jobs with an alert that have ended.
    mutating func tellEnds() {
        for (id, alert) in alerts.sorted(by: { $0.key < $1.key }) {
            let words: String
            if let row = present.rows[id] {
                alerts[id]?.slot = row.slot
                guard row.state.isEnded else { continue }
                words = TaskSentence(row, at: now).line
            } else {
                // The page of its slot is here without the job, so the job has ended and left the
                // board.
                guard present.isComplete, let slot = alert.slot,
                    present.members[.holding(slot: slot)] != nil
                else { continue }
                words = "\(PlainText.clean(alert.title)): has left the board"
            }
            alerts[id] = nil
            say(words, isNews: true)
            actions.append(.tell(words))
        }
    }

    /// Copies the id of the task of the cursor to the clipboard of the terminal.
    mutating func copyID() {
        guard let id = selected, !isSelectedHidden else {
            return say("there is no task in this row")
        }
        actions.append(.copy(id.description))
        say("copied id:\(id), if the terminal takes it")
    }

    /// Copies the first link in the texts of the task of the cursor.
    mutating func copyLink() {
        guard let link = selectedRow?.links.first else {
            return say("there is no link in this row")
        }
        actions.append(.copy(link))
        say("copied \(link), if the terminal takes it")
    }
}
