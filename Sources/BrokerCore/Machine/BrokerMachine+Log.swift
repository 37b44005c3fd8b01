import BusProtocol
import TaskTree

/// Messages of tasks: kept beside the indicators, never through them.
extension BrokerMachine {
    mutating func log(_ line: WireLogLine, of id: SessionID, now: Moment) {
        guard line.hasTask, let reporter = line.task.taskID(sender: id) else { return }
        guard speaks(id, for: reporter) else {
            refuse(
                .notPermitted,
                "Task \(reporter) belongs to another session; log lines are about your own tasks.",
                of: id
            )
            return
        }
        // The job may have begun with the same report.
        if tree.job(of: reporter).map({ board.jobs[$0] == nil }) ?? false {
            settleForDecision(now: now)
        }
        guard let task = tree.taskID(of: reporter) else { return }
        let time = line.time > 0 && line.time.isFinite ? line.time : unix(now)
        keep(line: line.text, of: task, time: time)
    }

    /// Adds a line to those of a task's job; the oldest goes where they are too many.
    mutating func keep(line text: String, of task: TaskID, time: Double) {
        guard let job = tree.job(of: task), board.jobs[job] != nil else { return }
        board.jobs[job]?.log.append(
            LoggedLine(task: task, text: text, time: time, step: publication.stepNumber + 1)
        )
        if let count = board.jobs[job]?.log.count, count > configuration.logLinesPerJob {
            board.jobs[job]?.log.removeFirst(count - configuration.logLinesPerJob)
        }
    }

    /// The lines that arrived since the last step; `nil` if there is no such job.
    func newLines(of job: TaskID) -> [WireLogLine]? {
        board.jobs[job]?.log.filter { $0.step == publication.stepNumber }.map(wire)
    }

    func allLines(of job: TaskID) -> [WireLogLine] {
        (board.jobs[job]?.log ?? []).map(wire)
    }

    private func wire(_ line: LoggedLine) -> WireLogLine {
        var wire = WireLogLine()
        wire.task = WireTaskRef(line.task)
        wire.text = line.text
        wire.time = line.time
        return wire
    }
}
