/// How a task asks to be drawn; fixed when it begins.
public enum TaskStyle: UInt8, Sendable, Hashable {
    /// A bar that fills, or pulses while the total is unknown.
    case bar
    /// One cell that spins, or a ring that fills once the total is known.
    case spinner
}

/// Where a task hangs: said by its owner when it begins, never changed.
package enum ParentLink: Hashable, Sendable {
    /// A job: the root of a tree.
    case none
    /// A child of the task that speaks under this name.
    case task(TaskID)
    /// The redeemer of this ticket; only a `Binding` decides what that makes of it.
    case ticket(TaskID)
}

/// What an owner states about a task and rarely changes; always stated as a whole.
package struct TaskDescription: Hashable, Sendable {
    package var parent: ParentLink
    /// Whether the task is a ticket: a child reserved for somebody else to begin.
    package var isTicket = false
    package var title: String
    package var unit = ""
    package var key = ""
    /// How many of the parent's units the task is worth; `nil` is 1, or 0 for a background task.
    package var share: Int64?
    /// What else it says of itself.
    package var options: TaskOptions {
        get { if case .options(let options)? = said { options } else { TaskOptions() } }
        set { said = newValue == TaskOptions() ? nil : .options(newValue) }
    }
    /// The host in the options, read without making an empty `TaskOptions`.
    package var host: String {
        if case .options(let options)? = said { options.host } else { "" }
    }
    private var isBackground: Bool {
        if case .options(let options)? = said { options.isBackground } else { false }
    }
    /// The options; `nil` if all are the default ones, which saves 90 MB per million tasks.
    private var said: Boxed?
    /// When it began by its owner's wall clock, Unix seconds; 0 if that was not said.
    package var begun = 0.0

    package init(parent: ParentLink, title: String) {
        self.parent = parent
        self.title = title
    }

    private indirect enum Boxed: Hashable, Sendable {
        case options(TaskOptions)
    }

    /// The share with its default filled in.
    package var effectiveShare: Int64 { share ?? (isBackground ? 0 : 1) }
}

/// How far a task is: absolute numbers, never negative.
package struct TaskAmounts: Hashable, Sendable {
    package var completed: Int64
    /// `nil` while the amount of work is unknown.
    package var total: Int64?

    package init(completed: Int64 = 0, total: Int64? = nil) {
        self.completed = completed
        self.total = total
    }
}

/// What the owner says of its task's life; the last three are final for the attempt.
package enum StatedState: Hashable, Sendable {
    case running
    case paused
    case succeeded
    case failed(reason: String)
    case cancelled(reason: String)

    package var isFinal: Bool {
        switch self {
        case .running, .paused: false
        case .succeeded, .failed, .cancelled: true
        }
    }
}

/// What the broker has decided about the redeemer of a ticket; only this decides its parent.
package enum Binding: Hashable, Sendable {
    /// The redeemer continues the ticket's task as attempt `attempt` (from 1).
    case holder(of: TaskID, attempt: UInt32)
    /// Somebody else holds the ticket: the redeemer is a child (share 1) of its current attempt.
    case child(of: TaskID)
    /// The ticket's task had succeeded: the redeemer is shown nowhere and counts for nothing.
    case inert
}
