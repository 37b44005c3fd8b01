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
