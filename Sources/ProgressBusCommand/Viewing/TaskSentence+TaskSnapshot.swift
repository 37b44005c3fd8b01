import Dashboard
import DashboardCore
import ProgressBus
import TaskTree

extension TaskSentence {
    /// What is said of a task when a follower has just given it.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - parent: What it is a child of, as far as that is known here.
    init(task: TaskSnapshot, in parent: TaskSnapshot? = nil) {
        let now = Moment(nanoseconds: 0)
        self.init(TaskRow(task, madeAt: now), at: now)
        hasParentEnded = parent?.state.isEnded ?? false
    }
}
