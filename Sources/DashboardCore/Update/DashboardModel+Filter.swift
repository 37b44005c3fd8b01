import ProgressBus
import TaskTree

/// Dimming what is not looked for; nothing moves by it.
extension DashboardModel {
    /// The filter as it is typed, or as it was set.
    var activeFilter: String {
        if case .filter(let text) = prompt { text } else { filter }
    }

    func matches(_ task: TaskID) -> Bool {
        guard let row = store.rows[task] else { return false }
        return matches(row)
    }

    func matches(_ row: TaskSnapshot) -> Bool {
        let text = activeFilter.lowercased()
        guard !text.isEmpty else { return true }
        return row.title.lowercased().contains(text) || row.detail.lowercased().contains(text)
            || row.key.lowercased().contains(text)
    }

    /// How many jobs match that are on other pages than the one shown.
    var matchesElsewhere: Int {
        let slots = board.slots(bodyHeight: layout.body.height)
        return store.inSlot.reduce(0) { count, entry in
            slots.contains(entry.key) || !matches(entry.value) ? count : count + 1
        }
    }
}
