import ProgressBus
import TaskTree

/// Keys and mouse on the board.
extension DashboardModel {
    mutating func pressOnBoard(_ key: Key, at now: Moment) {
        let height = layout.body.height
        let perPage = board.perPage(bodyHeight: height)
        switch key {
        case .up, .character("k"): moveToSlot(board.slot - 1)
        case .down, .character("j"): moveToSlot(board.slot + 1)
        case .pageUp: moveToSlot(board.slot - perPage)
        case .pageDown: moveToSlot(board.slot + perPage)
        case .home: moveToSlot(1)
        case .end: moveToSlot(lastSlot)
        case .character("+"): setHeight(board.height + 1)
        case .character("-"): setHeight(board.height - 1)
        case .enter, .right: openSelected(at: now)
        case .escape: filter = ""
        default: break
        }
    }

    mutating func moveToSlot(_ slot: Int) {
        board.slot = min(max(slot, 1), lastSlot)
        bind()
    }

    /// The last slot there is reason to go to: the last one used, or the last one in sight.
    private var lastSlot: Int {
        let perPage = board.perPage(bodyHeight: layout.body.height)
        let highest = max(store.highestSlot, 1)
        return (highest - 1) / perPage * perPage + perPage
    }

    private mutating func setHeight(_ height: Int) {
        board.height = min(max(height, 1), BoardState.greatestHeight)
        board.lines = [:]
        fillLines()
    }

    private mutating func openSelected(at now: Moment) {
        guard let id = selected, let row = store.rows[id] else {
            note = Note("there is no job in this slot", at: now)
            return
        }
        bind()
        open(job: row.id, slot: row.slot)
    }
}
