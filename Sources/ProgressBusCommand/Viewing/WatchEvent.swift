import Essentials
import ProgressBus
import TaskTree

/// One line of `watch --json`: Protocol/schemas/watch-line.schema.json.
enum WatchEvent {
    case connected
    case disconnected
    case job(TaskSnapshot)
    case left(TaskSnapshot, reason: String)
    case log(TaskMessage)

    func json(at time: Date) throws -> String {
        try JSONLine.text(Line(event: self, time: time))
    }

    private struct Line: Encodable {
        let event: WatchEvent
        let time: Date

        private enum Key: String, CodingKey {
            case version, time, event, job, reason, task, text
        }

        func encode(to encoder: any Encoder) throws {
            var json = encoder.container(keyedBy: Key.self)
            try json.encode(StatusJSON.version, forKey: .version)
            try json.encode(event.name, forKey: .event)
            switch event {
            case .connected, .disconnected:
                try json.encode(time.millisecondsISO, forKey: .time)
            case .job(let task):
                try json.encode(time.millisecondsISO, forKey: .time)
                try json.encode(TaskJSON(task), forKey: .job)
            case .left(let task, let reason):
                try json.encode(time.millisecondsISO, forKey: .time)
                try json.encode(TaskJSON(task), forKey: .job)
                try json.encode(reason, forKey: .reason)
            case .log(let message):
                try json.encode(message.time.millisecondsISO, forKey: .time)
                try json.encode(message.task.description, forKey: .task)
                try json.encode(message.job.description, forKey: .job)
                try json.encode(message.text, forKey: .text)
            }
        }
    }

    private var name: String {
        switch self {
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .job: "job"
        case .left: "left"
        case .log: "log"
        }
    }
}

/// `watch --json`: an object for everything that is new.
struct JSONFormatter: WatchFormatter {
    private var connection = Board.Connection.connecting

    mutating func lines(for picture: WatchedPicture, at time: Date) throws -> [String] {
        var events: [WatchEvent] = []
        if picture.connection != connection {
            if picture.connection == .live { events.append(.connected) }
            if picture.connection == .reconnecting { events.append(.disconnected) }
            connection = picture.connection
        }
        if picture.connection == .live {
            for task in picture.tasks where picture.changed?.contains(task.id) != false {
                events.append(.job(task))
            }
        }
        events += picture.messages.map(WatchEvent.log)
        events += picture.left.map { .left($0.task, reason: $0.reason) }
        return try events.map { try $0.json(at: time) }
    }

    mutating func lines(at time: Date) -> [String] { [] }
}
