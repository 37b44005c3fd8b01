import ProgressBus
import TaskTree

/// From one thing that matches the filter to the next, in the view that is open.
extension DashboardModel {
    mutating func jumpToMatch(
        by direction: Int,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        let isFound =
            switch view {
            case .board: jumpOnBoard(by: direction)
            case .ordered: jumpInOrder(by: direction)
            case .job: jumpInJob(by: direction)
            case .mosaic: jumpInMosaic(by: direction, &actions)
            }
        if !isFound { note = Note("nothing matches here", at: now) }
    }

    private mutating func jumpOnBoard(by direction: Int) -> Bool {
        let slots = store.inSlot.filter { shows($0.value) }.keys.sorted()
        guard let slot = Self.next(after: board.slot, in: slots, by: direction) else {
            return false
        }
        board.slot = slot
        bind()
        return true
    }

    private mutating func jumpInOrder(by direction: Int) -> Bool {
        let rows = ordered?.rows ?? []
        let matching = rows.indices.filter { matches(rows[$0]) }
        guard let row = Self.next(after: ordered?.cursor ?? 0, in: matching, by: direction) else {
            return false
        }
        moveInOrder(to: row)
        return true
    }

    private mutating func jumpInJob(by direction: Int) -> Bool {
        guard var job else { return false }
        let lines = job.lines
        let matching = lines.indices.filter { index in
            job.task(at: lines[index], in: store).map(matches) ?? false
        }
        guard let index = Self.next(after: job.cursor, in: matching, by: direction) else {
            return false
        }
        job.moveCursor(to: index, store: store, bodyHeight: layout.body.height)
        self.job = job
        return true
    }

    private mutating func jumpInMosaic(
        by direction: Int,
        _ actions: inout [DashboardAction]
    ) -> Bool {
        guard let mosaic else { return false }
        let cells = (1...lastCell).filter { isStop(cell: $0, in: mosaic) }
        guard let cell = Self.next(after: mosaic.cell, in: cells, by: direction) else {
            return false
        }
        let body = layout.body
        self.mosaic?.cell = cell
        self.mosaic?.keepCursorVisible(in: body)
        nameCell(&actions)
        return true
    }

    /// The next one, after the last the first.
    static func next(after present: Int, in all: [Int], by direction: Int) -> Int? {
        direction > 0
            ? all.first { $0 > present } ?? all.first
            : all.last { $0 < present } ?? all.last
    }
}
