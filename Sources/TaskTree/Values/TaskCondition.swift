/// The state of a task as people see it: until it has ended, silent and then stalled come first.
package enum TaskCondition: String, Hashable, Sendable, CaseIterable {
    case waiting, running, stalled, silent, paused, cancelling
    case succeeded, failed, cancelled, lost

    /// As a row says it.
    package var word: String { self == .succeeded ? "done" : rawValue }

    /// Whether the work goes on as far as anybody knows; only then indicators move.
    package var isMoving: Bool { self == .running || self == .cancelling }

    package init(_ state: TaskState, isStalled: Bool, isSilent: Bool) {
        self =
            switch state {
            case .succeeded: .succeeded
            case .failed: .failed
            case .cancelled: .cancelled
            case .lost: .lost
            case _ where isSilent: .silent
            case _ where isStalled: .stalled
            case .waiting: .waiting
            case .running: .running
            case .paused: .paused
            case .cancelling: .cancelling
            }
    }
}
