import ProgressBus

/// One line of `progressbus report`, checked without regard to other lines.
///
/// Protocol/schemas/report-line.schema.json has the fields.
enum ReportOperation: Equatable, Sendable {
    case begin(Begin)
    case update(Update)
    case advance(id: String, by: Int)
    case end(id: String, state: EndState, reason: String?)
    case ticket(Ticket)
    case redeem(Redeem)
    case log(id: String, text: String)
    case sync

    /// How a script says that a task has ended.
    enum EndState: String, Sendable, CaseIterable {
        case succeeded, failed, cancelled
    }

    struct Begin: Equatable, Sendable {
        var id: String
        var parent: String?
        var title: String
        var options = Options()
    }

    /// Begins the task of a ticket that another process has issued.
    struct Redeem: Equatable, Sendable {
        var id: String
        var ticket: String
        var title: String?
        var options = Options()
    }

    struct Ticket: Equatable, Sendable {
        var id: String
        var parent: String
        var title: String
        var share: Int?
    }

    /// The values that a task begins with.
    struct Options: Equatable, Sendable {
        var total: Int?
        var unit: String?
        var share: Int?
        var key: String?
        var detail: String?
        var task = TaskOptions()
    }

    /// New absolute values; `nil` leaves a value as it is.
    struct Update: Equatable, Sendable {
        /// A total in a line: a number, or `null` for "not known".
        enum Total: Equatable, Sendable {
            case known(Int)
            case unknown
        }

        var id: String
        var completed: Int?
        var total: Total?
        var title: String?
        var detail: String?
        var share: Int?
        var expectedChildren: Int?
        var totalIsEstimate: Bool?
        var isPaused: Bool?
    }
}

/// Why a line of `progressbus report` was not accepted, as a sentence without its end.
struct ReportLineError: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
