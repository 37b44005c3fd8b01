import TaskTree

func task(_ index: Int) -> TaskID {
    TaskID(index: UInt64(index), session: SessionID(rawValue: 1))
}

extension TaskDescription {
    static func job() -> TaskDescription { TaskDescription(parent: .none, title: "job") }

    static func child(of parent: TaskID, share: Int64? = nil) -> TaskDescription {
        var description = TaskDescription(parent: .task(parent), title: "child")
        description.share = share
        return description
    }
}
