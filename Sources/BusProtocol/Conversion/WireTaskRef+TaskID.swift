package import TaskTree

extension WireTaskRef {
    package init(_ id: TaskID) {
        self.init()
        index = id.index
        session = id.session.rawValue
    }

    /// The task meant; session 0 stands for the sender's own.
    ///
    /// `nil` for index 0, and for session 0 if `sender` is `nil`.
    package func taskID(sender: SessionID? = nil) -> TaskID? {
        let named = session == 0 ? sender : SessionID(rawValue: session)
        guard index != 0, let named else { return nil }
        return TaskID(index: index, session: named)
    }
}
