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
        guard keep(line: line.text, of: task, time: time) else {
            refuse(
                .quotaText,
                "There is no room for log lines of job \(tree.job(of: task) ?? task): those of its "
                    + "process or member take as much of \(configuration.logBytes) bytes as they "
                    + "leave for others.",
                of: id
            )
            return
        }
    }

    /// Adds a line to those of a task's job; false if there is no room for it.
    @discardableResult
    mutating func keep(line text: String, of task: TaskID, time: Double) -> Bool {
        guard let job = tree.job(of: task), board.jobs[job] != nil else { return true }
        return board.logs.add(
            LoggedLine(task: task, text: text, time: time, step: publication.stepNumber + 1),
            to: job,
            of: detached.tasks[job]?.share ?? sessions[job.session]?.way.owner ?? .others,
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

    /// Those that have room in a frame: all, unless somebody has more kept than are by default.
    func newestLines(of job: TaskID) -> [WireLogLine] {
        var room = FrameRoom(of: configuration.frameBytes)
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
