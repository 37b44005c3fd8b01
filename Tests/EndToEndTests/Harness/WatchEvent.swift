import Foundation

/// One line of `progressbus watch --json`.
struct WatchEvent: Decodable {
    var event: String
    var time: String
    /// Of `job` and `left`: the job.
    var job: StatusTask?
    /// Of `left`: why.
    var reason: String?
    /// Of `log`.
    var text: String?

    private enum Key: CodingKey {
        case event, time, job, reason, text
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        event = try fields.decode(String.self, forKey: .event)
        time = try fields.decode(String.self, forKey: .time)
        // In a log line this is an id.
        job = event == "log" ? nil : try fields.decodeIfPresent(StatusTask.self, forKey: .job)
        reason = try fields.decodeIfPresent(String.self, forKey: .reason)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
    }
}

extension ChildProcess {
    /// What a `watch --json` has printed so far; a line that is none is a failure of the test.
    func watchEvents() throws -> [WatchEvent] {
        try outputLines.map { line in
            do {
                return try JSONDecoder().decode(WatchEvent.self, from: Data(line.utf8))
            } catch {
                throw NotAnEvent(line: String(line.prefix(2_000)), error: "\(error)")
            }
        }
    }

    /// The newest state of each job that it has printed, by id.
    func watchedJobs() throws -> [String: StatusTask] {
        let jobs = try watchEvents().filter { $0.event == "job" }.compactMap(\.job)
        return Dictionary(jobs.map { ($0.id, $0) }) { $1 }
    }

    struct NotAnEvent: Error, CustomStringConvertible {
        var line: String
        var error: String
        var description: String { "not an event of watch --json: \(line)\n\(error)" }
    }
}
