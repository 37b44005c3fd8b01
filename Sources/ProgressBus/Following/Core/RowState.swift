import BusProtocol
import TaskTree

/// What a follower holds of one task within one topic: the newest description and progress.
struct RowState: Sendable {
    let task: TaskID
    /// The topic's sequence of the newest change that is in here.
    var sequence: UInt64
    /// Rises with every change of anything in the follower; for telling what is new.
    var revision: UInt64
    var description: WireRowDescription
    var progress: WireRowProgress
    /// The broker's clock when `progress` was made, in Unix seconds.
    var time: Double
    /// What was shown of the attempt before; `displayFraction` does not fall below it.
    private(set) var floor = 0.0

    /// `nil` unless the row is complete: the first row of a task always is.
    init?(_ row: WireRow, task: TaskID, sequence: UInt64, time: Double, revision: UInt64) {
        guard row.hasDescription_p, row.hasProgress else { return nil }
        self.task = task
        self.sequence = sequence
        self.revision = revision
        self.description = row.description_p
        self.progress = row.progress
        self.time = time
    }

    /// Takes over what a newer row says; what it leaves out is as before.
    mutating func merge(_ row: WireRow, sequence: UInt64, time: Double, revision: UInt64) {
        let (shown, reported) = (displayFraction, progress.fraction)
        let attempt = description.attempt
        if row.hasDescription_p { description = row.description_p }
        if row.hasProgress {
            progress = row.progress
            self.time = time
        }
        // A larger whole: what is shown falls to the truth, once.
        let isLess = progress.fraction < reported
        floor = attempt != description.attempt ? 0 : isLess ? min(shown, progress.fraction) : shown
        self.sequence = sequence
        self.revision = revision
    }

    /// Keeps what was shown before this picture came, so that nothing runs backwards.
    mutating func keep(_ former: RowState) {
        guard former.description.attempt == description.attempt else { return }
        floor = max(floor, former.displayFraction)
        // The same again is no change.
        if former.description == description, former.progress == progress {
            revision = former.revision
        }
    }

    /// How much to show as done: below 1 until success, backwards only where less is reported.
    var displayFraction: Double {
        guard progress.state != .succeeded else { return 1 }
        let said = progress.displayFraction.isFinite ? progress.displayFraction : 0
        return min(max(said, floor, 0), 0.99)
    }

    var isEnded: Bool { TaskState(progress.state).isEnded }

    /// Whether it is in a state that is told early: failures, cancellations, pauses, ends of jobs.
    var isUrgent: Bool {
        switch progress.state {
        case .failed, .cancelled, .lost, .paused: true
        case .succeeded: !description.hasParent
        case .waiting, .running, .cancelling, .UNRECOGNIZED: false
        }
    }
}
