package import ProgressBus
import ZeroMQ

/// Why there is no dashboard, in words.
package enum DashboardError: Error, CustomStringConvertible {
    /// There is no terminal that it can be drawn on, or no room for what it needs.
    case unusable(String)
    /// The bus cannot be followed.
    case following(FollowError)

    package var description: String {
        switch self {
        case .unusable(let sentence): sentence
        case .following(let error): error.description
        }
    }
}

extension DashboardError {
    init(_ error: ZeroMQError) {
        self = .unusable("there is no room for the dashboard (\(error)); use --plain")
    }
}

/// Why a dashboard ended.
package enum DashboardLeaving: Equatable, Sendable {
    /// The person wanted it.
    case asked
    /// SIGINT, SIGTERM or SIGHUP.
    case signal(Int32)
    /// The terminal is no longer there.
    case terminalGone
    /// Its handle or its follower was closed.
    case closed
}
