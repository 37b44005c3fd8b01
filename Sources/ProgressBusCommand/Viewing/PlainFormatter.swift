import DashboardCore
import Essentials
import ProgressBus

/// `watch --plain`: a line per change of state and per 10 % or 30 s of a running job.
///
/// A sparse formatter, for screen readers, has no line every 30 s. It has one line a minute for all
/// jobs, and only if there was no other line.
struct PlainFormatter: WatchFormatter {
    /// Seconds after which a running job gets a line whatever happens.
    private static let period = 30.0
    /// Seconds of silence after which a sparse formatter says that work goes on.
    private static let heartbeat = 60.0
    /// The most children of a job with a line of their own at a time; more are counted.
    private static let childLimit = 20

    /// The facts of the last line about a task.
    private struct Said {
        var word: String
        var tenth: Int
        var attempt: Int
        var at: Date
    }

    private let isSparse: Bool
    private let timeOfDay: @Sendable (Date) -> String
    private var lastLine: Date?
    private var connection = Board.Connection.connecting
    private var isConnectingSaid = false
    private var said: [TaskID: Said] = [:]
    private var tasks: [TaskSnapshot] = []
    /// The hosts of the tasks that got a line.
    private var hosts = ShownHosts()

    /// Makes a formatter that has given no line so far.
    init(
        isSparse: Bool = false,
        timeOfDay: @escaping @Sendable (Date) -> String = PlainFormatter.localTime
    ) {
        self.isSparse = isSparse
        self.timeOfDay = timeOfDay
    }

    mutating func lines(for picture: WatchedPicture, at time: Date) -> [String] {
        var lines = connectionLines(for: picture)
        guard picture.connection == .live else { return stamped(lines, at: time) }
        // The task of a message may have left the board since.
        let known = picture.tasks + picture.left.map(\.task) + tasks
        let speakers = speakers(of: picture.messages, in: known)
        tasks = picture.tasks
        for message in picture.messages {
            let speaker = speakers[message.task] ?? ""
            lines.append("\(speaker) says: \(PlainText.clean(message.text))")
        }
        for departure in picture.left {
            // The task may have ended and left between two pictures.
            lines += stateLine(of: departure.task, in: [], at: time).map { [$0] } ?? []
            if departure.reason != departure.task.state.rawValue {
                lines.append("\(title(departure.task)): left the board (\(departure.reason))")
            }
            said[departure.task.id] = nil
        }
        for task in tasks where picture.changed?.contains(task.id) != false {
            lines += linesOfTree(task, at: time)
        }
        forgetWhatIsGone()
        return stamped(lines, at: time)
    }

    mutating func lines(at time: Date) -> [String] {
        guard connection == .live else { return [] }
        if isSparse { return stamped(heartbeat(at: time), at: time) }
        var lines: [String] = []
        for task in tasks where task.state.isUnderWay {
            guard let last = said[task.id], time.timeIntervalSince(last.at) >= Self.period else {
                continue
            }
            said[task.id]?.at = time
            lines.append(TaskSentence(task).line)
        }
        return stamped(lines, at: time)
    }

    // MARK: - What is new

    private mutating func connectionLines(for picture: WatchedPicture) -> [String] {
        defer { connection = picture.connection }
        switch picture.connection {
        case .connecting:
            guard !isConnectingSaid else { return [] }
            isConnectingSaid = true
            return ["waiting for the broker"]
        case .reconnecting:
            return connection == .reconnecting ? [] : ["no word from the broker; waiting for it"]
        case .live:
            if connection == .reconnecting { return ["the broker is back"] }
            return picture.tasks.isEmpty && connection == .connecting ? ["connected; no jobs"] : []
        }
    }

    private mutating func linesOfTree(_ task: TaskSnapshot, at time: Date) -> [String] {
        var lines = stateLine(of: task, in: [], at: time).map { [$0] } ?? []
        if lines.isEmpty, let line = progressLine(of: task, at: time) { lines = [line] }
        var childLines: [String] = []
        for child in task.children {
            collect(child, below: [task], into: &childLines, at: time)
        }
        if childLines.count > Self.childLimit {
            let counts = TaskSentence(task).line
            lines.append("\(childLines.count) changes below: \(counts)")
        } else {
            lines += childLines
        }
        return lines
    }

    private mutating func collect(
        _ task: TaskSnapshot,
        below parents: [TaskSnapshot],
        into lines: inout [String],
        at time: Date
    ) {
        if let line = stateLine(of: task, in: parents, at: time) { lines.append(line) }
        for child in task.children {
            collect(child, below: parents + [task], into: &lines, at: time)
        }
    }

    /// The line for a task whose state or attempt has changed since its last line.
    private mutating func stateLine(
        of task: TaskSnapshot,
        in parents: [TaskSnapshot],
        at time: Date
    ) -> String? {
        var sentence = TaskSentence(task, in: parents.last)
        let last = said[task.id]
        guard last?.word != sentence.word || last?.attempt != task.attempt else { return nil }
        said[task.id] = Said(
            word: sentence.word,
            tenth: Self.tenth(of: task),
            attempt: task.attempt,
            at: time
        )
        hosts.add(task)
        sentence.saysHost = hosts.areSeveral
        let place = parents.map { title($0) + " > " }.joined()
        return place + sentence.line + (sentence.advice.map { "; " + $0 } ?? "")
    }

    /// The line for a job that has come to its next tenth.
    private mutating func progressLine(of task: TaskSnapshot, at time: Date) -> String? {
        guard let last = said[task.id], !task.state.isEnded, !task.isIndeterminate,
            Self.tenth(of: task) > last.tenth
        else { return nil }
        said[task.id]?.tenth = Self.tenth(of: task)
        said[task.id]?.at = time
        return TaskSentence(task).line
    }

    /// The line that says that work goes on, if there was no other line for long.
    private func heartbeat(at time: Date) -> [String] {
        guard let lastLine, time.timeIntervalSince(lastLine) >= Self.heartbeat else { return [] }
        return Heartbeat.line(for: tasks).map { [$0] } ?? []
    }

    private static func tenth(of task: TaskSnapshot) -> Int {
        Int(min(max(task.fraction, 0), 1) * 10 + 1e-9)
    }

    private func title(_ task: TaskSnapshot) -> String { PlainText.clean(task.title) }

    /// The path "Job > Child" of each task with a message; its id if its title is not known.
    private func speakers(
        of messages: [TaskMessage],
        in known: [TaskSnapshot]
    ) -> [TaskID: String] {
        var missing = Set(messages.map(\.task))
        var speakers: [TaskID: String] = [:]
        func look(at task: TaskSnapshot, below path: String) {
            guard !missing.isEmpty else { return }
            if missing.remove(task.id) != nil { speakers[task.id] = path + title(task) }
            guard !task.children.isEmpty else { return }
            let path = path + title(task) + " > "
            for child in task.children { look(at: child, below: path) }
        }
        for task in known { look(at: task, below: "") }
        for message in messages where missing.remove(message.task) != nil {
            let job = known.first { $0.id == message.job }
            let path = job.map { title($0) + " > " } ?? ""
            speakers[message.task] = path + "id:\(message.task)"
        }
        return speakers
    }

    // MARK: - Bookkeeping

    /// Forgets tasks that are no longer shown, of which there may be millions in time.
    private mutating func forgetWhatIsGone() {
        guard said.count > 1_000, said.count > 2 * tasks.count else { return }
        var shown: Set<TaskID> = []
        func note(_ task: TaskSnapshot) {
            shown.insert(task.id)
            task.children.forEach(note)
        }
        tasks.forEach(note)
        said = said.filter { shown.contains($0.key) }
    }

    private mutating func stamped(_ lines: [String], at time: Date) -> [String] {
        if !lines.isEmpty { lastLine = time }
        return lines.map { timeOfDay(time) + "  " + $0 }
    }

    /// "03:00:12" by this machine's clock and time zone.
    static func localTime(_ date: Date) -> String {
        TimeOfDay.text(
            unixTime: date.timeIntervalSince1970,
            secondsFromUTC: LocalTime.secondsFromUTC
        )
    }
}
