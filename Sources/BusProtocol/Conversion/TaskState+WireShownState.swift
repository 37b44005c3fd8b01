package import TaskTree

extension TaskState {
    package init(_ state: WireShownState) {
        switch state {
        case .waiting: self = .waiting
        case .running: self = .running
        case .paused: self = .paused
        case .cancelling: self = .cancelling
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .lost: self = .lost
        // A state of a newer minor version: whatever it is, the task has not ended for us.
        case .UNRECOGNIZED: self = .running
        }
    }

    package var wire: WireShownState {
        switch self {
        case .waiting: .waiting
        case .running: .running
        case .paused: .paused
        case .cancelling: .cancelling
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        case .lost: .lost
        }
    }
}
