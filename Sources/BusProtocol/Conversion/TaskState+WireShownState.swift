package import TaskTree

extension TaskState {
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
