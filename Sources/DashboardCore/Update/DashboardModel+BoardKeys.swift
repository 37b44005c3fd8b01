import ProgressBus
import TaskTree

/// What keys do on the board and on its copy in another order.
extension DashboardModel {
    mutating func setHeight(_ height: Int) {
        board.height = min(max(height, 1), BoardState.greatestHeight)
        board.lines = [:]
        fillLines()
    }

    /// Shows what is below the job of the cursor; of one without, its details.
    mutating func openSelected() {
        guard let id = selected, let row = store.rows[id] else {
            return say("there is no job in this slot")
        }
        bind()
        guard row.isParent else { return toggle(.details) }
        open(job: row.id, slot: row.slot)
    }

    /// Asks for the copy, and then for its next order.
    mutating func orderBoard() {
        guard hasTasks else { return say("there is no job to put in order") }
        let filter = self.filter
        ordered = OrderedBoard(ordered?.order.next ?? .timeLeft)
        ordered?.filter = filter
        fillOrder()
    }

    /// Fills the copy as soon as all jobs are here; at once, unless there are more than a page.
    mutating func fillOrder() {
        guard ordered != nil, ordered?.rows == nil, isBoardComplete else { return }
        ordered?.fill(with: store.inSlot.values.compactMap { store.row($0) }, at: now)
        orderedCursorMoved()
    }

    /// The board behind the copy has its cursor on the same job.
    mutating func orderedCursorMoved() {
        let height = layout.body.height
        ordered?.keepCursorVisible(bodyHeight: height)
        guard let slot = selected.flatMap({ store.rows[$0]?.slot }) else { return }
        board.slot = slot
        board.bound = selected
    }

    /// Whether all jobs of the board are here, as far as it is searched.
    var isBoardComplete: Bool {
        store.connection == .live && allPages.allSatisfy { store.members[$0] != nil }
    }
}
