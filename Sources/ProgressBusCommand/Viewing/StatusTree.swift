import DashboardCore
import ProgressBus

/// The tree as `status` prints it: one line per task, children indented below their parent.
enum StatusTree {
    /// Children of one parent that are listed; the rest is counted.
    private static let childLimit = 40

    /// A line about the bus, then the lines of each job; `inWords` puts words in the place of
    /// marks.
    static func lines(for board: Board, inWords: Bool = false) -> [String] {
        var lines = [header(of: board)]
        let width = board.jobs.compactMap(\.slot).map { String($0).count }.max() ?? 1
        let saysHost = ShownHosts(below: board.jobs).areSeveral
        for job in board.jobs {
            let slot = job.slot.map(String.init) ?? ""
            let padding = String(repeating: " ", count: max(width - slot.count, 0))
            let label = padding + slot + "  "
            let mark = inWords ? "needs attention: " : "! "
            lines += Self.lines(
                for: job,
                in: nil,
                label: label,
                indent: width + 2,
                mark: mark,
                saysHost: saysHost
            )
        }
        return lines
    }

    private static func header(of board: Board) -> String {
        guard let broker = board.broker else { return "no picture yet" }
        let sessions = counted(broker.sessions, "session")
        guard broker.jobs > 0 else { return "no jobs; \(sessions) connected" }
        var parts = [counted(broker.jobs, "job"), counted(broker.tasks, "task"), sessions]
        if broker.needingAttention > 0 { parts.append(inNeedOfAttention(broker.needingAttention)) }
        if broker.isSettling { parts.append("the broker has just started and gathers its tasks") }
        return parts.joined(separator: ", ")
    }

    private static func lines(
        for task: TaskSnapshot,
        in parent: TaskSnapshot?,
        label: String,
        indent: Int,
        mark: String,
        saysHost: Bool
    ) -> [String] {
        var sentence = TaskSentence(task, in: parent)
        sentence.saysHost = saysHost
        let margin = String(repeating: " ", count: indent)
        var lines = [label + sentence.line]
        if let advice = sentence.advice { lines.append(margin + mark + advice) }
        let listed = listedChildren(of: task)
        for child in listed {
            lines += Self.lines(
                for: child,
                in: task,
                label: margin + "  ",
                indent: indent + 4,
                mark: mark,
                saysHost: saysHost
            )
        }
        let rest = task.children.count - listed.count + task.childrenLeftOut
        if rest > 0 {
            lines.append(margin + "  ... and \(HumanNumbers.grouped(Int64(rest))) more")
        }
        return lines
    }

    /// The children that are listed, by place: of too many, rather those that run or need
    /// attention.
    private static func listedChildren(of task: TaskSnapshot) -> [TaskSnapshot] {
        guard task.children.count > childLimit else { return task.children }
        let interesting = task.children.filter { $0.needsAttention || !$0.state.isEnded }
        let dull = task.children.filter { !$0.needsAttention && $0.state.isEnded }
        let chosen = Set((interesting + dull).prefix(childLimit).map(\.id))
        return task.children.filter { chosen.contains($0.id) }
    }
}
