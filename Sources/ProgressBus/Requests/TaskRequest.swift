import BusProtocol

/// What can be asked of a task.
public enum TaskRequest: String, Sendable, Hashable, CaseIterable {
    /// To stop for good.
    case cancel
    /// To stand still.
    case pause
    /// To go on.
    case resume
    /// To leave the board, for an ended job; the broker does it, no process is asked.
    case dismiss

    var wire: WireVerb {
        switch self {
        case .cancel: .cancel
        case .pause: .pause
        case .resume: .resume
        case .dismiss: .dismiss
        }
    }
}
