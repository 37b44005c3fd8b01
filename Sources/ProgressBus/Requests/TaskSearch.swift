import BusProtocol
package import TaskTree

/// What is looked for in all of a job, folded or not.
package struct TaskSearch: Sendable, Hashable {
    /// As `/` of the dashboard takes it.
    package var filter: String
    package var job: TaskID
    /// Behind which task the hits begin; `nil`: with the job.
    package var after: TaskID?
    /// Whether from there to the first task, and on from the last one.
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
    /// The next ones, as many as an answer has room for.
    package var next: [TaskMatch]
    /// How many there are.
    package var count: Int
    /// How many tasks the broker has looked at for that.
    package var looked: Int
    /// The last of these, if it was not all of the job; the next search may begin behind it.
    package var reached: TaskID?

    package init(next: [TaskMatch], count: Int, looked: Int, reached: TaskID? = nil) {
        self.next = next
        self.count = count
        self.looked = looked
        self.reached = reached
    }
}
