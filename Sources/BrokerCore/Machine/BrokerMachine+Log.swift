import BusProtocol
import TaskTree

/// Messages of tasks: kept beside the tasks, in a list of each job.
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
        if !keep(line: line.text, of: task, time: time) {
            refuse(
                .quotaText,
                "There is no room for messages of job \(tree.job(of: task) ?? task): its process or "
                    + "member gets no more of \(configuration.logBytes) bytes than it leaves.",
                of: id
            )
        }
    }

    /// Adds a line to those of a task's job; false if the job has no room for it.
    @discardableResult
    mutating func keep(line text: String, of task: TaskID, time: Double) -> Bool {
        guard let job = tree.job(of: task), board.jobs[job] != nil else { return true }
        return board.logs.add(
            LoggedLine(task: task, text: text, time: time, step: publication.stepNumber + 1),
            to: job,
            of: detached.tasks[job]?.share ?? sessions.owner(of: job.session),
            lineLimit: configuration.logLinesPerJob,
            byteLimit: configuration.logBytes
        )
    }

    /// Whether lines of this topic have arrived since the last step.
    func hasUnpublishedLines(_ topic: Topic) -> Bool {
        guard case .log(let job) = topic, let last = board.logs.lines(of: job).last else {
            return false
        }
        return last.step > publication.stepNumber
    }

    /// The lines that arrived since the last step.
    func newLines(of job: TaskID) -> [WireLogLine] {
        board.logs.lines(of: job).filter { $0.step == publication.stepNumber }.map(wire)
    }

    /// The newest lines that a frame of so many bytes can hold.
    func newestLines(of job: TaskID, in frameBytes: Int) -> [WireLogLine] {
        var room = FrameRoom(of: frameBytes)
        let lines = board.logs.lines(of: job).map(wire)
        return lines.reversed().prefix { room.take($0) }.reversed()
    }

    private func wire(_ line: LoggedLine) -> WireLogLine {
        var wire = WireLogLine()
        wire.task = WireTaskRef(line.task)
        wire.text = line.text
        wire.time = line.time
        return wire
    }
}
