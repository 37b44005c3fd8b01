import ProgressBus
import TaskTree

@testable import DashboardCore

extension TaskSnapshot {
    /// A job 42 % done, begun 13.5 s ago by a process; the closure makes it another one.
    static func sample(_ change: (inout TaskSnapshot) -> Void = { _ in }) -> TaskSnapshot {
        var row = TaskSnapshot(
            id: TaskID(index: 1, session: SessionID(rawValue: 0xC0FFEE)),
            title: "Back up photos"
        )
        row.unit = "files"
        row.isIndeterminate = false
        row.bothFractions = 0.42
        row.completed = 42
        row.total = 100
        row.rate = 3.1
        row.secondsLeft = 18.7
        row.elapsed = 13.5
        row.secondsSinceAdvance = 0.2
        row.process = TaskSnapshot.Process(host: "attic", pid: 4_711, command: "backup")
        change(&row)
        return row
    }

    /// A child without numbers that runs.
    static func child(_ change: (inout TaskSnapshot) -> Void = { _ in }) -> TaskSnapshot {
        var row = TaskSnapshot(
            id: TaskID(index: 2, session: SessionID(rawValue: 0xC0FFEE)),
            job: TaskID(index: 1, session: SessionID(rawValue: 0xC0FFEE)),
            title: "Scan"
        )
        row.parent = row.job
        row.depth = 1
        change(&row)
        return row
    }

    /// What is reported and drawn alike.
    var bothFractions: Double {
        get { fraction }
        set {
            fraction = newValue
            displayFraction = newValue
        }
    }

    /// What is said of it when its durations are right, or so much later.
    func words(after seconds: Double = 0) -> TaskSentence {
        TaskSentence(self, at: madeAt.advanced(bySeconds: seconds))
    }
}
