package import TaskTree

/// A ticket as text that survives an environment variable, an argument or a header.
///
/// The prefix names the format, so that a later one can be told from it.
package struct TicketString: Hashable, Sendable {
    /// The task that whoever redeems the ticket continues.
    package let task: TaskID

    package init(_ task: TaskID) {
        self.task = task
    }

    /// Reads what `text` writes; `nil` for anything else.
    package init?(parsing text: String) {
        guard text.hasPrefix(Self.prefix),
            let task = TaskID(String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(task)
    }

    /// `pbt1-<index>-<session>`.
    package var text: String { Self.prefix + task.description }

    private static let prefix = "pbt1-"
}
