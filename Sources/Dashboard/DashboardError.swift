package import ProgressBus

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
