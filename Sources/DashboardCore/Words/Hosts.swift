package import ProgressBus
import TaskTree

/// How the tasks of a job are spread over hosts, a line for each; no line if all are on one host.
enum HostLines {
    /// Hosts with a line of their own: those with trouble first.
    private static let shown = 8

    static func lines(_ spread: JobHosts?) -> [String] {
        guard let spread, spread.hosts.count + spread.otherHosts > 1 else { return [] }
        let hosts = spread.hosts.sorted {
            (-$0.counts.troubled, $0.name) < (-$1.counts.troubled, $1.name)
        }
        var lines = hosts.prefix(shown).map { host in
            let name = host.name.isEmpty ? "a host that is not known" : PlainText.clean(host.name)
            return "on \(name): \(words(host.counts))"
        }
        let rest = hosts.dropFirst(shown)
        let others = rest.count + spread.otherHosts
        if others > 0 {
            let counts = rest.reduce(into: spread.others) { $0.add($1.counts, times: 1) }
            lines.append("on \(others) more: \(words(counts))")
        }
        if spread.isPartial { lines.append("by host: not all tasks, there are too many") }
        return lines
    }

    private static func words(_ counts: StateCounts) -> String {
        // Waiting tasks are left out, as they may yet begin on any host.
        let said = HumanNumbers.counted([
            (counts.running, .running), (counts.succeeded, .succeeded), (counts.failed, .failed),
            (counts.cancelled, .cancelled), (counts.lost, .lost),
        ])
        return said.isEmpty ? "nothing begun" : said.joined(separator: ", ")
    }
}

extension StateCounts {
    fileprivate var troubled: Int { failed + lost }
}

/// Whether tasks that are shown together are on several hosts, as only then each names its host.
package struct ShownHosts: Sendable {
    private var first: String?
    package private(set) var areSeveral = false

    package init() {}

    /// The hosts of these tasks, not of those below them.
    init(_ tasks: some Sequence<TaskSnapshot>) {
        for task in tasks { add(task) }
    }

    /// The hosts of these tasks and of all below them.
    package init(below tasks: [TaskSnapshot]) {
        for task in tasks { addAll(task) }
    }

    package mutating func add(_ task: TaskSnapshot) {
        guard !areSeveral, !task.host.isEmpty else { return }
        areSeveral = first.map { $0 != task.host } ?? false
        first = first ?? task.host
    }

    private mutating func addAll(_ task: TaskSnapshot) {
        add(task)
        for child in task.children where !areSeveral { addAll(child) }
    }
}
