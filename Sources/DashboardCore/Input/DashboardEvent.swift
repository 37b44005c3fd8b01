package import TaskTree

/// What the dashboard is told.
package enum DashboardEvent: Sendable {
    case picture(DashboardPicture)
    case key(Key)
    case mouse(MouseEvent)
    /// Text from elsewhere, which is no key press.
    case paste(String)
    case resize(columns: Int, rows: Int)
    /// What became of an action of the same number.
    case answered(request: Int, CommandOutcome)
    /// Where a task is that was asked for; `nil` if there is none.
    case found(request: Int, FoundTask?)
}

/// What the sessions asked said to a command, in sum.
package struct CommandOutcome: Hashable, Sendable {
    package var accepted = 0
    package var refused = 0
    package var unsupported = 0
    package var gone = 0
    package var noAnswer = 0
    /// Why nobody could be asked, or the words of a refusal.
    package var text = ""

    package init() {}
}

/// Where a task is.
package struct FoundTask: Hashable, Sendable {
    package var task: TaskID
    package var title: String
    package var job: TaskID
    /// The slot of its job.
    package var slot: Int?
    /// From the job down to the parent of the task; empty for a job.
    package var path: [TaskID]
    /// The places of `path` without the job, and of the task itself.
    package var places: [Int]

    package init(
        task: TaskID,
        title: String,
        job: TaskID,
        slot: Int?,
        path: [TaskID],
        places: [Int]
    ) {
        self.task = task
        self.title = title
        self.job = job
        self.slot = slot
        self.path = path
        self.places = places
    }
}

/// What can be asked of a task.
package enum DashboardVerb: String, Hashable, Sendable {
    case cancel, pause, resume, dismiss
}

/// What the dashboard wants done, in order.
package enum DashboardAction: Hashable, Sendable {
    /// Follow these parts and no others.
    case follow(Set<PicturePart>)
    /// Ask for all of them anew.
    case refresh
    case perform(request: Int, DashboardVerb, TaskID)
    /// Find the task that a text names: `id:ID`, or `cell:N@JOB`.
    case find(request: Int, String)
    /// Draw everything again, whatever the terminal shows.
    case redraw
    /// End the program; the work goes on.
    case leave
}
