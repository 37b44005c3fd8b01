import Essentials
import ProgressBus
import TaskTree

/// One line of `watch --json`: Protocol/schemas/watch-line.schema.json.
private struct WatchEvent<Job: Encodable>: Encodable {
    let version = StatusJSON.version
    let event: String
    let time: String
    // Only the fields that the event has appear in its line.
    /// The task; for `log` only the id of its job; nil for an event of the connection.
    var job: Job?
    var reason: String?
    var task: String?
    var text: String?
}

/// `watch --json`: an object for everything that is new.
struct JSONFormatter: WatchFormatter {
    private var connection = Board.Connection.connecting

    mutating func lines(for picture: WatchedPicture, at time: Date) throws -> [String] {
        let now = time.millisecondsISO
        var lines: [String] = []
        func add(_ event: WatchEvent<some Encodable>) throws {
            lines.append(try JSONLine.text(event))
        }
        let isLive = picture.connection == .live
        if picture.connection != connection {
            connection = picture.connection
            if connection != .connecting {
                let event = isLive ? "connected" : "disconnected"
                try add(WatchEvent<String>(event: event, time: now))
            }
        }
        for task in picture.tasks where isLive && picture.changed?.contains(task.id) != false {
            try add(WatchEvent(event: "job", time: now, job: TaskJSON(task)))
        }
        for message in picture.messages {
            try add(
                WatchEvent(
                    event: "log",
                    time: message.time.millisecondsISO,
                    job: message.job.description,
                    task: message.task.description,
                    text: message.text
                )
            )
        }
        for departure in picture.left {
            let job = TaskJSON(departure.task)
            try add(WatchEvent(event: "left", time: now, job: job, reason: departure.reason))
        }
        return lines
    }

    mutating func lines(at time: Date) -> [String] { [] }
}
