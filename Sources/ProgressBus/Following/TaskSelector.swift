public import TaskTree

/// A way to name a task: by its id, its key, the slot of a job, or what a person typed.
///
/// The broker looks the task up at each use: a key that has passed to another job names that job.
public struct TaskSelector: Sendable, Hashable, CustomStringConvertible {
    /// The text as the broker reads it.
    public let description: String

    /// What a person typed: digits are a slot; `key:NAME` and `id:ID` are exact; otherwise the
    /// beginning of an id (at least 6 characters), else a key.
    public init(_ text: String) {
        description = text
    }

    /// The task with this id.
    public static func id(_ task: TaskID) -> TaskSelector { TaskSelector(idPrefix + "\(task)") }

    /// The job or task with this key.
    public static func key(_ key: String) -> TaskSelector { TaskSelector("key:" + key) }

    /// The job in this slot of the board, from 1.
    public static func slot(_ slot: Int) -> TaskSelector { TaskSelector("\(slot)") }

    /// The task in this cell of the mosaic of a job, from 1.
    package static func cell(_ cell: Int, of job: TaskID) -> TaskSelector {
        TaskSelector("cell:\(cell)@\(job)")
    }

    private static let idPrefix = "id:"

    /// The id, if the selector names the task by it: then the broker need not look for the task.
    var id: TaskID? {
        guard description.hasPrefix(Self.idPrefix) else { return nil }
        return TaskID(String(description.dropFirst(Self.idPrefix.count)))
    }

    /// The task that the selector names, of those that it may name.
    package func only(of matches: [TaskMatch]) throws(FollowError) -> TaskMatch {
        guard let first = matches.first else {
            let sentence = "no task goes by \"\(self)\"; `progressbus status` lists them"
            throw FollowError(.noSuchTask, sentence)
        }
        guard matches.count > 1 else { return first }
        let listed = matches.prefix(100)
        let names = listed.map { "\($0.task) \"\($0.title)\"" }.joined(separator: ", ")
        throw FollowError(
            .ambiguous,
            "\"\(self)\" may be any of \(matches.count) tasks: \(names); name one by `id:ID`",
            candidates: listed.map(\.task)
        )
    }
}

/// A task that a selector names, with the way to it.
public struct TaskMatch: Sendable, Hashable {
    /// The task.
    public var task: TaskID
    /// The job it belongs to.
    public var job: TaskID
    /// Its title.
    public var title: String
    /// Its key.
    public var key: String
    /// The slot of its job.
    package var slot: Int?
    /// The tasks from the job down to its parent; empty for a job.
    package var path: [TaskID]
    /// One place for each task of `path`: that of `path[1]` in `path[0]` and so on, at last that of
    /// the task itself; 0 for none.
    package var places: [Int]

    package init(
        task: TaskID,
        job: TaskID,
        title: String,
        key: String = "",
        slot: Int?,
        path: [TaskID] = [],
        places: [Int] = []
    ) {
        self.task = task
        self.job = job
        self.title = title
        self.key = key
        self.slot = slot
        self.path = path
        self.places = places
    }
}
