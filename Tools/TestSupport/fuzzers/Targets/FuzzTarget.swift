import BusProtocol

/// What reads foreign bytes, each as it is given to a fuzzer.
///
/// A target traps where a promise is broken; what is merely refused is no finding.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case reportFrames = "report-frames"
    case controlFrames = "control-frames"
    case followerFrames = "follower-frames"
    case report
    case control
    case follower
    case spool
    case sessions
    case reportLines = "report-lines"
    case keys
    case names
    case output

    /// Reads one input in every way that the product does, and says how many steps that was: the
    /// operations that sessions were made to do; one for every other target.
    @discardableResult
    package func play(_ input: [UInt8]) -> Int {
        switch self {
        case .reportFrames: Frames.play(input, Frame.decodeReport) { Frame.encode($0) }
        case .controlFrames: Frames.play(input, Frame.decodeClient) { Frame.encode($0) }
        case .followerFrames:
            Frames.play(input, Frame.decodeBroker) { Frame.encode($0) }
            Frames.play(input, Frame.decodeUpdate) { Frame.encode($0) }
        case .report: BrokerStage.play(input, as: .report)
        case .control: BrokerStage.play(input, as: .client)
        case .follower: FollowerStage.play(input)
        case .spool: SpoolFiles.play(input)
        case .sessions: return SessionStage.play(input)
        case .reportLines: ReportLines.play(input)
        case .keys: KeyPresses.play(input)
        case .names: Names.play(input)
        case .output: Output.play(input)
        }
        return 1
    }
}
