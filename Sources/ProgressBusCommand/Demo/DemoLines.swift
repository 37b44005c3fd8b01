import DashboardCore
import ProgressBus

/// Tasks as indented plain lines, one per task that is not done.
enum DemoLines {
    /// The most lines of one block; the rest is counted.
    private static let limit = 40

    /// The job first, then what runs below it, depth first.
    static func lines(for job: TaskSnapshot) -> [String] {
        var lines: [String] = []
        append(job, indent: 0, to: &lines)
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + ["  ... and \(lines.count - limit + 1) more"]
    }

    private static func append(_ task: TaskSnapshot, indent: Int, to lines: inout [String]) {
        lines.append(String(repeating: "  ", count: indent) + TaskSentence(task).line)
        guard !task.state.isEnded else { return }
        for child in task.children where !child.state.isEnded {
            append(child, indent: indent + 1, to: &lines)
        }
    }
}
