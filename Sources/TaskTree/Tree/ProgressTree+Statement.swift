/// What an owner has said last about one task, before anything is concluded from it.
package struct TaskStatement: Sendable {
    package var description: TaskDescription
    package var amounts: TaskAmounts
    package var detail: String
    package var state: StatedState
    /// The highest version among its groups.
    package var version: UInt64
}

// What owners have said, as of now and not of the last settling.
extension ProgressTree {
    /// Whether anybody has described a task under this name.
    package func knows(_ reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].flags.contains(.described) } ?? false
    }

    /// Whether the newest word about the task is a final one.
    package func hasStatedEnding(_ reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].stated.isFinal } ?? false
    }

    /// Whether it was concluded that the task's owner will say no more of it.
    package func isConcluded(_ reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].inference != nil } ?? false
    }

    /// Whether the newest word about the task is that it succeeded.
    package func hasStatedSuccess(_ reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].stated } == .succeeded
    }

    /// Whether the name is that of a child reserved for somebody else.
    package func isTicket(_ reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].flags.contains(.ticket) } ?? false
    }

    /// Everything said under this name; `nil` if nobody has described it.
    package func statement(of reporter: TaskID) -> TaskStatement? {
        guard let number = numbers[reporter], let description = nodes[number].description else {
            return nil
        }
        let node = nodes[number]
        return TaskStatement(
            description: description,
            amounts: node.amounts,
            detail: node.detail,
            state: node.stated,
            version: max(
                node.describedVersion,
                node.measuredVersion,
                node.detailedVersion,
                node.statedVersion
            )
        )
    }

    /// Whether something unfinished hangs below the task, in earlier attempts too.
    package func hasLiveDescendants(_ id: TaskID) -> Bool {
        liveDescendants(of: id) > 0
    }

    /// How many records the next settling looks at; some may be counted twice.
    package var markedCount: Int { dirty.reduce(0) { $0 + $1.count } }

    /// How many entries `pendingWork` has.
    package var pendingCount: Int { pendingWork.count }

    /// Whether settling would have something to do.
    package var hasPending: Bool {
        !pendingWork.isEmpty || !departed.isEmpty || dirty.contains { !$0.isEmpty }
    }
}
