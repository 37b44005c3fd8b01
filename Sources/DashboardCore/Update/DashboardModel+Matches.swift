import ProgressBus
import TaskTree

/// From one thing that matches the filter to the next, in the view that is open.
extension DashboardModel {
    mutating func jumpToMatch(by direction: Int) {
        goOn(to: matchingPlaces, by: direction, orSay: "nothing matches here")
    }

    /// The next row of the copy of the board that is in trouble.
    mutating func jumpToTroubleInOrder(by direction: Int) {
        let rows = ordered?.rows ?? []
        let troubled = rows.indices.filter { index in
            store.rows[rows[index]].map { $0.needsAttention || $0.attentionBelow > 0 } ?? false
        }
        goOn(to: troubled, by: direction, orSay: "nothing needs attention")
    }

    private mutating func goOn(to places: [Int], by direction: Int, orSay words: String) {
        guard let place = places.next(after: cursor, by: direction) else { return say(words) }
        moveCursor(to: place)
    }

    var matchingPlaces: [Int] {
        switch view {
        case .board: return store.inSlot.filter { shows($0.value) }.keys.sorted()
        case .ordered:
            let rows = ordered?.rows ?? []
            return rows.indices.filter { matches(rows[$0]) }
        case .job:
            guard let job else { return [] }
            let lines = job.lines
            return lines.indices.filter { index in
                job.task(at: lines[index], in: store).map(matches) ?? false
            }
        case .mosaic: return (1...lastCell).filter(isStop)
        }
    }
}
