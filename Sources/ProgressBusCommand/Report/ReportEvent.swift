import ProgressBus

/// What `progressbus report` writes to standard output, one JSON object a line.
///
/// Protocol/schemas/report-event.schema.json has the fields.
enum ReportEvent: Equatable, Sendable {
    case ticket(id: String, ticket: String)
    case synced(isComplete: Bool)
    /// A viewer's request to a task.
    case request(TaskRequest, id: String)

    /// The line, without its end.
    var line: String {
        get throws {
            switch self {
            case .ticket(let id, let ticket):
                try JSONLine.text(["event": "ticket", "id": id, "ticket": ticket])
            case .synced(isComplete: true): #"{"event":"synced"}"#
            case .synced(isComplete: false): #"{"event":"synced","ok":false}"#
            case .request(let request, let id):
                try JSONLine.text(["event": request.rawValue, "id": id])
            }
        }
    }
}
