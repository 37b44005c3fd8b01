import ProgressBus
import TaskTree

/// What the person has chosen on the board: the page, the slot, the height of slots.
struct BoardState: Sendable {
    static let greatestHeight = 4

    /// The slot the cursor is on, from 1.
    var slot = 1
    /// The task that the person put the cursor on; actions never go to its successor in the slot.
    var bound: TaskID?
    /// Whether a job has been on the screen or the person has used a key or the mouse; from then on
    /// only the person changes the page.
    var isSettled = false
    /// Lines of each slot.
    var height = 1
    /// The text of the filter; empty to show all jobs.
    var filter = ""
    /// For each visible job, the child in each further line of its slot; a child keeps its line
    /// until it has ended.
    var lines: [TaskID: [TaskID?]] = [:]

    /// How many slots fit; the last line of the body tells what is on other pages.
    func perPage(bodyHeight: Int) -> Int { max((bodyHeight - 1) / height, 1) }

    /// The slots of the page that the cursor is on.
    func slots(bodyHeight: Int) -> Range<Int> {
        let perPage = perPage(bodyHeight: bodyHeight)
        let first = (max(slot, 1) - 1) / perPage * perPage + 1
        return first..<first + perPage
    }

    /// Gives free lines to children that have not ended or need attention, in the order of their
    /// places.
    mutating func fillLines(of job: TaskID, from store: TaskStore) {
        var assigned = lines[job] ?? []
        let count = height - 1
        assigned = (0..<count).map { $0 < assigned.count ? assigned[$0] : nil }
        let children = (store.atPlace[job] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        let listed = Set(children)
        for index in 0..<count {
            if let id = assigned[index], !listed.contains(id) { assigned[index] = nil }
        }
        for child in children where !assigned.contains(child) {
            guard let row = store.rows[child], !row.state.isEnded || row.needsAttention else {
                continue
            }
            // An empty line, or else the line of a child that has ended and needs no attention.
            let free =
                assigned.firstIndex { $0 == nil }
                ?? assigned.firstIndex { id in
                    guard let row = id.flatMap({ store.rows[$0] }) else { return true }
                    return row.state.isEnded && !row.needsAttention
                }
            guard let free else { break }
            assigned[free] = child
        }
        lines[job] = assigned
    }
}
