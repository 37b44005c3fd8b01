import ProgressBus
import TaskTree

/// A copy of the board in another order, which the person opens and closes.
///
/// The jobs are put in order once: afterwards the contents of the rows change, but never their
/// order. A row belongs to one job, so that the next job in the same slot is not in the copy.
struct OrderedBoard: Sendable {
    enum Order: String, Sendable {
        case timeLeft = "by time left"
        case trouble = "by trouble"
        case host = "by host"

        var next: Order {
            switch self {
            case .timeLeft: .trouble
            case .trouble: .host
            case .host: .timeLeft
            }
        }
    }

    let order: Order
    /// `nil` until all jobs have come.
    private(set) var rows: [TaskID]?
    var cursor = 0
    /// The row at the top.
    private(set) var scroll = 0
    /// The text of the filter; empty to show all jobs.
    var filter = ""

    init(_ order: Order) { self.order = order }

    /// Puts the jobs in order, once.
    mutating func fill(with jobs: [TaskSnapshot], at now: Moment) {
        guard rows == nil else { return }
        rows = jobs.map { ($0.id, rank(of: $0, at: now)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    mutating func keepCursorVisible(bodyHeight: Int) {
        let count = rows?.count ?? 0
        cursor = min(max(cursor, 0), max(count - 1, 0))
        let height = Self.shown(bodyHeight: bodyHeight)
        scroll = scroll.scrolled(to: cursor, height: height, of: count)
    }

    /// How many rows fit; the last line of the body explains the copy.
    static func shown(bodyHeight: Int) -> Int { max(bodyHeight - 1, 1) }

    /// The sort key of a job: the lowest comes first, and jobs that are alike follow their slots.
    private func rank(of row: TaskSnapshot, at now: Moment) -> (Double, String, Int) {
        let slot = row.slot ?? .max
        switch order {
        case .timeLeft:
            // Tasks without a known time come after those with one, ended tasks last.
            let left = TaskSentence(row, at: now).secondsLeft ?? .greatestFiniteMagnitude
            return (row.state.isEnded ? .infinity : left, "", slot)
        case .trouble:
            if row.needsAttention { return (0, "", slot) }
            return (row.attentionBelow > 0 ? 1 : row.state.isEnded ? 3 : 2, "", slot)
        case .host:
            // Jobs without a host come last.
            return (0, row.host.isEmpty ? "\u{10FFFF}" : row.host, slot)
        }
    }
}
