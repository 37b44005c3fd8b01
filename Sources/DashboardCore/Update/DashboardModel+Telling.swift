import ProgressBus
import TaskTree

/// Jobs whose end is told outside of the screen, to a person who looks elsewhere.
extension DashboardModel {
    /// Marks the job of the cursor, or takes the mark away.
    mutating func toggleAlert() {
        guard !isSelectedHidden, let id = jobOfMessages, let job = store.rows[id] ?? job?.last
        else { return say("there is no job in this row") }
        if alerts.removeValue(forKey: job.id) != nil {
            say("the end of \"\(job.title)\" is not told any more")
        } else if job.state.isEnded {
            say("\"\(job.title)\" has ended")
        } else {
            // The broker says where it is, wherever one looks meanwhile.
            alerts[job.id] = Alert(title: job.title, slot: job.slot)
            say("the end of \"\(job.title)\" will be told by the terminal")
        }
    }

    /// Tells of those that have ended.
    mutating func tellEnds() {
        for (id, alert) in alerts.sorted(by: { $0.key < $1.key }) {
            let words: String
            if let row = present.rows[id] {
                alerts[id]?.slot = row.slot
                guard row.state.isEnded else { continue }
                words = TaskSentence(row, at: now).line
            } else {
                // Gone from its page, which is here: it has ended and left.
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

    /// Hands the id of the task of the cursor to the terminal's clipboard.
    mutating func copyID() {
        guard let id = selected, !isSelectedHidden else {
            return say("there is no task in this row")
        }
        actions.append(.copy(id.description))
        say("copied id:\(id), if the terminal takes it")
    }

    /// The first address in what the task of the cursor says.
    mutating func copyLink() {
        guard let link = selectedRow?.links.first else {
            return say("there is no link in this row")
        }
        actions.append(.copy(link))
        say("copied \(link), if the terminal takes it")
    }
}
