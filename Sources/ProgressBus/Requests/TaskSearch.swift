import BusProtocol
package import TaskTree

/// A search through all tasks of a job, shown or not.
package struct TaskSearch: Sendable, Hashable {
    /// The filter, in the words that `/` of the dashboard takes.
    package var filter: String
    package var job: TaskID
    /// The task behind which the search begins; `nil` begins it at the job.
    package var after: TaskID?
    /// Whether the search goes from there to the first task, and on from the last one.
    package var backwards: Bool

    package init(_ filter: String, in job: TaskID, after: TaskID? = nil, backwards: Bool = false) {
        self.filter = filter
        self.job = job
        self.after = after
        self.backwards = backwards
    }

    var wire: WireSearch {
        var search = WireSearch()
        search.filter = filter
        search.job = WireTaskRef(job)
        if let after { search.after = WireTaskRef(after) }
        search.backwards = backwards
        return search
    }
}

/// What the broker has found.
package struct SearchHits: Sendable, Hashable {
    /// The next hits, as many as an answer has room for.
    package var next: [TaskMatch]
    /// The number of hits among the tasks that the broker has looked at.
    package var count: Int
    /// The number of tasks that the broker has looked at.
    package var looked: Int
    /// The last of these tasks, if they are not the whole job; the next search may begin behind it.
    package var reached: TaskID?

    package init(next: [TaskMatch], count: Int, looked: Int, reached: TaskID? = nil) {
        self.next = next
        self.count = count
        self.looked = looked
        self.reached = reached
    }
}
