#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TaskTree

/// One task at one moment, with what is known of the connection; a value of `updates(of:)`.
///
/// Everything of the task can be read directly: `update.title` is `update.task.title`.
@dynamicMemberLookup
public struct TaskUpdate: Sendable {
    /// The task.
    public var task: TaskSnapshot
    /// How fresh this is.
    public var connection: Board.Connection
    /// Messages of the task's job since the value before; the newest 1,000.
    public var messages: [TaskMessage] = []

    /// Reads a property of the task.
    public subscript<Value>(dynamicMember member: KeyPath<TaskSnapshot, Value>) -> Value {
        task[keyPath: member]
    }
}

extension Date {
    /// Seconds since 1970, for code without Foundation.
    package var unixTime: Double { timeIntervalSince1970 }
}

/// A line that a task wants people to read.
public struct TaskMessage: Sendable, Hashable {
    /// The task that says it.
    public var task: TaskID
    /// The job that task belongs to.
    public var job: TaskID
    /// The line, without a line break.
    public var text: String
    /// When it was said, by the speaker's own clock.
    public var time: Date

    package init(task: TaskID, job: TaskID, text: String, time: Date) {
        self.task = task
        self.job = job
        self.text = text
        self.time = time
    }
}
