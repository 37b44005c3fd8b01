import ProgressBus
import TaskTree

/// Keys and mouse on the board.
extension DashboardModel {
    mutating func moveOnBoard(_ direction: KeyAction.Direction, at now: Moment) {
        let perPage = board.perPage(bodyHeight: layout.body.height)
        switch direction {
        case .up: moveToSlot(board.slot - 1)
        case .down: moveToSlot(board.slot + 1)
        case .pageUp: moveToSlot(board.slot - perPage)
        case .pageDown: moveToSlot(board.slot + perPage)
        case .first: moveToSlot(1)
        case .last: moveToSlot(lastSlot)
        case .right: openSelected(at: now)
        case .left: break
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

    mutating func setHeight(_ height: Int) {
        board.height = min(max(height, 1), BoardState.greatestHeight)
        board.lines = [:]
        fillLines()
    }

    mutating func openSelected(at now: Moment) {
        guard let id = selected, let row = store.rows[id] else {
            note = Note("there is no job in this slot", at: now)
            return
        }
        bind()
        open(job: row.id, slot: row.slot)
    }
}
