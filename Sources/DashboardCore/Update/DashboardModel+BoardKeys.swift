import ProgressBus
import TaskTree

/// Keys and mouse on the board.
extension DashboardModel {
    mutating func moveOnBoard(_ direction: KeyAction.Direction, at now: Moment) {
        let perPage = board.perPage(bodyHeight: layout.body.height)
        switch direction {
        case .up: moveToSlot(near: board.slot - 1, by: -1)
        case .down: moveToSlot(near: board.slot + 1, by: 1)
        case .pageUp: moveToSlot(near: board.slot - perPage, by: -1)
        case .pageDown: moveToSlot(near: board.slot + perPage, by: 1)
        case .first: moveToSlot(near: 1, by: 1)
        case .last: moveToSlot(near: .max, by: -1)
        case .right: openSelected(at: now)
        case .left: break
        }
    }

    private mutating func moveToSlot(near slot: Int, by direction: Int) {
        let slots = 1...max(store.highestSlot, 1)
        let stop = Self.nearestStop(to: slot, by: direction, in: slots) { isStop(slot: $0) }
        guard let stop else { return }
        board.slot = stop
        bind()
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
