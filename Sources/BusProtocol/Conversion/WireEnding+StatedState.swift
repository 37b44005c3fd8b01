package import TaskTree

extension StatedState {
    /// The state as it travels, and the reason beside it, cut to its limit.
    package var wire: (state: WireStatedState, reason: String) {
        switch self {
        case .running: (.running, "")
        case .paused: (.paused, "")
        case .succeeded: (.succeeded, "")
        case .failed(let reason):
            (.failed, reason.limited(toUTF8: ProtocolLimits.reasonBytes))
        case .cancelled(let reason):
            (.cancelled, reason.limited(toUTF8: ProtocolLimits.reasonBytes))
        }
    }
}

extension WireStatedState {
    /// A state of a newer version counts as running: what is not known to have ended has not.
    package func statedState(reason: String) -> StatedState {
        switch self {
        case .running, .UNRECOGNIZED: .running
        case .paused: .paused
        case .succeeded: .succeeded
        case .failed: .failed(reason: reason)
        case .cancelled: .cancelled(reason: reason)
        }
    }
}

extension WireStateChange {
    /// Running or paused.
    package var statedState: StatedState { state.statedState(reason: "") }
}

extension WireEnding {
    package var statedState: StatedState { state.statedState(reason: reason) }

    package var amounts: TaskAmounts {
        TaskAmounts(completed: completed, total: hasTotal && total >= 0 ? total : nil)
    }
}
