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
