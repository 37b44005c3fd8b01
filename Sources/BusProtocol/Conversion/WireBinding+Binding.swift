package import TaskTree

extension WireBinding {
    /// What the broker tells the redeemer that speaks under `index`; `task` is the ticket's.
    package init(index: UInt64, _ binding: Binding, task: TaskID) {
        self.init()
        self.index = index
        self.task = WireTaskRef(task)
        switch binding {
        case .holder(_, let attempt):
            kind = .holder
            self.attempt = attempt
        case .child: kind = .child
        case .inert: kind = .inert
        }
    }

    /// The decision in it; `nil` for a kind of a newer version.
    package func binding(sender: SessionID? = nil) -> Binding? {
        switch kind {
        case .holder: task.taskID(sender: sender).map { .holder(of: $0, attempt: attempt) }
        case .child: task.taskID(sender: sender).map { .child(of: $0) }
        case .inert: .inert
        case .unknown, .UNRECOGNIZED: nil
        }
    }
}
