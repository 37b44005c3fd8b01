import ProgressBus
import Synchronization

/// What is true of each task, kept by a test that makes it so, and compared with every board that a
/// follower is given.
///
/// While something changes, what was and what will be are both true.
final class Ledger: Sendable {
    /// What may be said of a task.
    private struct Truth {
        var states: Set<TaskState>
        /// Amounts that have been reported, or are about to be.
        var most: Int64 = .max
        /// Whether it stays until somebody takes it away.
        var stays = false
    }

    private struct State {
        var truths: [String: Truth] = [:]
        var violations: [String] = []
        var boards = 0

        mutating func note(_ violation: String) {
            if !violations.contains(violation) { violations.append(violation) }
        }
    }

    private let state = Mutex(State())
    private let follower: BusFollower

    init(of follower: BusFollower) {
        self.follower = follower
        let boards = follower.boards(depth: nil)
        Task { [weak self] in
            for try await board in boards { self?.compare(board) }
        }
    }

    func close() { follower.close() }

    /// What was said and was not true, each once.
    var violations: [String] { state.withLock { $0.violations } }

    /// How many boards were looked at.
    var boards: Int { state.withLock { $0.boards } }

    /// From now on a task of this title may be in one of these states, with no more done than this.
    func may(_ title: String, be states: TaskState..., upTo most: Int64 = .max) {
        state.withLock { $0.truths[title] = Truth(states: Set(states), most: most) }
    }

    /// From now on it is in this state, and on the board.
    func must(_ title: String, be end: TaskState) {
        state.withLock { $0.truths[title] = Truth(states: [end], stays: true) }
    }

    private func compare(_ board: Board) {
        // Where the broker is away or gathers what there is, it says so.
        guard board.connection == .live, board.broker?.isSettling == false else { return }
        state.withLock { state in
            state.boards += 1
            var seen: [String: Int] = [:]
            func look(_ task: TaskSnapshot, isJob: Bool) {
                if isJob { seen[task.title, default: 0] += 1 }
                if let words = Self.falsehood(task, state.truths[task.title]) {
                    state.note("\(task.title): \(words)")
                }
                for child in task.children { look(child, isJob: false) }
            }
            for job in board.jobs { look(job, isJob: true) }
            for (title, count) in seen where count > 1 { state.note("\(title): \(count) rows") }
            for (title, truth) in state.truths where truth.stays && seen[title] == nil {
                state.note("\(title): is not on the board")
            }
        }
    }

    private static func falsehood(_ task: TaskSnapshot, _ truth: Truth?) -> String? {
        guard let truth else { return "is on the board, \(task.state)" }
        guard truth.states.contains(task.state) else { return "is shown as \(task.state)" }
        if task.isSilent || task.isStalled { return "is shown as silent or stalled" }
        if task.completed > truth.most { return "\(task.completed) are shown as done" }
        if let total = task.total, task.fraction > 1.001 * Double(task.completed) / Double(total),
            task.children.isEmpty
        {
            return "\(task.fraction) of \(task.completed) of \(total)"
        }
        if task.state == .succeeded, task.children.contains(where: { !$0.state.isEnded }) {
            return "has succeeded over a child at work"
        }
        return nil
    }
}
