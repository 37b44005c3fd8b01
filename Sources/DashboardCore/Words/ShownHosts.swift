package import ProgressBus

/// Whether tasks that are shown together are on several hosts: only then each says its own.
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
        guard !areSeveral, let host = task.process?.host, !host.isEmpty else { return }
        areSeveral = first.map { $0 != host } ?? false
        first = first ?? host
    }

    private mutating func addAll(_ task: TaskSnapshot) {
        add(task)
        for child in task.children where !areSeveral { addAll(child) }
    }
}
