import ProgressBus
import TaskTree

/// The copy of the board in another order.
extension DashboardModel {
    /// Asks for the copy, and then for its next order.
    mutating func orderBoard() {
        let filter = self.filter
        ordered = OrderedBoard(ordered?.order.next ?? .timeLeft)
        ordered?.filter = filter
        fillOrder()
    }

    /// Fills the copy as soon as all jobs are here; at once, unless there are more than a page.
    mutating func fillOrder() {
        guard ordered != nil, ordered?.rows == nil, isBoardComplete else { return }
        let jobs = store.inSlot.values.compactMap { store.row($0) }
        ordered?.fill(with: jobs)
        orderedCursorMoved()
    }

    mutating func moveInOrder(_ direction: KeyAction.Direction, at now: Moment) {
        guard let copy = ordered, let rows = copy.rows, !rows.isEmpty else { return }
        let page = OrderedBoard.shown(bodyHeight: layout.body.height)
        let wanted: (row: Int, by: Int)
        switch direction {
        case .up: wanted = (copy.cursor - 1, -1)
        case .down: wanted = (copy.cursor + 1, 1)
        case .pageUp: wanted = (copy.cursor - page, -1)
        case .pageDown: wanted = (copy.cursor + page, 1)
        case .first: wanted = (0, 1)
        case .last: wanted = (.max, -1)
        case .right: return openSelected(at: now)
        case .left: return
        }
        let stop = Self.nearestStop(to: wanted.row, by: wanted.by, in: 0...rows.count - 1) {
            matches(rows[$0])
        }
        if let stop { moveInOrder(to: stop) }
    }

    mutating func moveInOrder(to row: Int) {
        ordered?.cursor = row
        orderedCursorMoved()
    }

    /// The next row in trouble.
    mutating func jumpToTroubleInOrder(by direction: Int, at now: Moment) {
        let rows = ordered?.rows ?? []
        let troubled = rows.indices.filter { index in
            store.rows[rows[index]].map { $0.needsAttention || $0.attentionBelow > 0 } ?? false
        }
        if let row = Self.next(after: ordered?.cursor ?? 0, in: troubled, by: direction) {
            moveInOrder(to: row)
        } else {
            note = Note("nothing needs attention", at: now)
        }
    }

    /// The board behind it has its cursor on the same job.
    private mutating func orderedCursorMoved() {
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
