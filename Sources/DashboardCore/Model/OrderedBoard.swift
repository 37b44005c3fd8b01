import ProgressBus
import TaskTree

/// A copy of the board in another order, which the person asked for and leaves.
///
/// The order is of the moment when it was asked for: afterwards what is in the rows changes, never
/// where they are. Rows are of tasks, so that the next job in a slot is not among them.
struct OrderedBoard: Sendable {
    enum Order: CaseIterable, Sendable {
        case timeLeft, trouble, host

        var words: String {
            switch self {
            case .timeLeft: "by time left"
            case .trouble: "by trouble"
            case .host: "by host"
            }
        }

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
    /// What is looked for; empty for everything.
    var filter = ""

    init(_ order: Order) { self.order = order }

    /// Puts the jobs in order, once.
    mutating func fill(with jobs: [TaskSnapshot]) {
        guard rows == nil else { return }
        rows = jobs.sorted { isBefore($0, $1) }.map(\.id)
    }

    mutating func keepCursorVisible(bodyHeight: Int) {
        let height = Self.shown(bodyHeight: bodyHeight)
        let count = rows?.count ?? 0
        cursor = min(max(cursor, 0), max(count - 1, 0))
        if cursor < scroll { scroll = cursor }
        if cursor >= scroll + height { scroll = cursor - height + 1 }
        scroll = min(max(scroll, 0), max(count - height, 0))
    }

    /// Rows that fit; the last line of the body says what this is.
    static func shown(bodyHeight: Int) -> Int {
        max(bodyHeight > 1 ? bodyHeight - 1 : bodyHeight, 1)
    }

    /// Of two that are alike the one in the lower slot.
    private func isBefore(_ one: TaskSnapshot, _ other: TaskSnapshot) -> Bool {
        let slots = (one.slot ?? .max, other.slot ?? .max)
        switch order {
        case .timeLeft:
            let (first, second) = (Self.left(of: one), Self.left(of: other))
            return (first, slots.0) < (second, slots.1)
        case .trouble:
            let (first, second) = (Self.calm(of: one), Self.calm(of: other))
            return (first, slots.0) < (second, slots.1)
        case .host:
            let (first, second) = (Self.host(of: one), Self.host(of: other))
            return (first, slots.0) < (second, slots.1)
        }
    }

    /// Seconds; tasks without a known time come after those with one, ended tasks last.
    private static func left(of row: TaskSnapshot) -> Double {
        guard !row.state.isEnded else { return .infinity }
        return row.secondsLeft ?? .greatestFiniteMagnitude
    }

    private static func calm(of row: TaskSnapshot) -> Int {
        if row.needsAttention { return 0 }
        if row.attentionBelow > 0 { return 1 }
        return row.state.isEnded ? 3 : 2
    }

    /// What is on no host comes last.
    private static func host(of row: TaskSnapshot) -> String {
        row.process?.host ?? "\u{10FFFF}"
    }
}
