import ProgressBus
import TaskTree

/// When within its job a task ran, as shares of the time that the job has taken so far.
struct RunSpan: Equatable, Sendable {
    var from: Double
    var to: Double

    /// `nil` of what has not ended, or whose beginning is not known.
    init?(of task: TaskSnapshot, in job: TaskSnapshot, at now: Moment) {
        guard task.state.isEnded, let begun = job.startedAt?.unixTime,
            let taken = TaskSentence(job, at: now).elapsed, taken > 0,
            let start = task.startedAt?.unixTime, let end = TaskSentence(task, at: now).end
        else { return nil }
        let (from, to) = ((start - begun) / taken, (end - begun) / taken)
        guard from.isFinite, to.isFinite else { return nil }
        self.from = min(max(from, 0), 1)
        self.to = min(max(to, self.from), 1)
    }
}
