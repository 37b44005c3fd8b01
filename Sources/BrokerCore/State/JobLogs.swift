import TaskTree

/// The newest messages of each job.
///
/// If its owner has no room left, a job drops its own oldest lines for a new one, so that no job
/// costs another its messages.
struct JobLogs {
    private struct Log {
        /// The owner whose share the lines take.
        let owner: ShareOwner
        var lines: [LoggedLine] = []
    }

    private var logs: [TaskID: Log] = [:]
    /// The bytes of lines that each owner has.
    private(set) var room = SharedRoom()

    /// How many jobs have lines.
    var count: Int { logs.count }

    func lines(of job: TaskID) -> [LoggedLine] { logs[job]?.lines ?? [] }

    /// Adds a line to a job's log; returns false and drops nothing if there is no room for it.
    mutating func add(
        _ line: LoggedLine,
        to job: TaskID,
        of owner: ShareOwner,
        lineLimit: Int,
        byteLimit: Int
    ) -> Bool {
        var log = logs.removeValue(forKey: job) ?? Log(owner: owner)
        defer { logs[job] = log.lines.isEmpty ? nil : log }
        let hasRoom = room.mayTake(log.owner, of: byteLimit)
        var (leaving, freed) = (0, 0)
        while log.lines.count - leaving >= lineLimit || !hasRoom && freed < line.size {
            guard leaving < log.lines.count else { return false }
            freed += log.lines[leaving].size
            leaving += 1
        }
        log.lines.removeFirst(leaving)
        log.lines.append(line)
        room.add(line.size - freed, of: log.owner)
        return true
    }

    mutating func forget(_ job: TaskID) {
        guard let log = logs.removeValue(forKey: job) else { return }
        for line in log.lines { room.add(-line.size, of: log.owner) }
    }
}

/// One message of a task, with the step at which it arrived.
struct LoggedLine {
    let task: TaskID
    let text: String
    let time: Double
    let step: UInt64

    /// Its bytes, with what is kept beside the text.
    var size: Int { text.utf8.count + MemoryLayout<LoggedLine>.stride }
}
