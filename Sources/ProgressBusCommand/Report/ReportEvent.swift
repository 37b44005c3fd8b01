/// What `progressbus report` writes to standard output, one JSON object a line.
///
/// Protocol/schemas/report-event.schema.json has the fields.
enum ReportEvent: Equatable, Sendable {
    case ticket(id: String, ticket: String)
    case synced(isComplete: Bool)
    case request(Request, id: String)

    /// What a viewer wants of a task.
    enum Request: String, Sendable {
        case cancel, pause, resume
    }

    /// The line, without its end; fields in the order of the documentation.
    var line: String {
        switch self {
        case .ticket(let id, let ticket):
            #"{"event":"ticket","id":\#(Self.quoted(id)),"ticket":\#(Self.quoted(ticket))}"#
        case .synced(isComplete: true): #"{"event":"synced"}"#
        case .synced(isComplete: false): #"{"event":"synced","ok":false}"#
        case .request(let request, let id):
            #"{"event":"\#(request.rawValue)","id":\#(Self.quoted(id))}"#
        }
    }

    /// A JSON string; written out so that a line never depends on an encoder that may throw.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
