package import ProgressBus

/// Why there is no dashboard, in words.
package enum DashboardError: Error, CustomStringConvertible {
    /// Standard output is not a terminal, or it cannot be opened.
    case noTerminal(String)
    /// The terminal's type is not known here, or it can do too little.
    case unsuitableTerminal(String)
    /// The system has no room for what a dashboard needs.
    case noRoom(String)
    /// The bus cannot be followed.
    case following(FollowError)

    package var description: String {
        switch self {
        case .noTerminal(let sentence), .unsuitableTerminal(let sentence), .noRoom(let sentence):
            sentence
        case .following(let error): error.description
        }
    }

    /// Whether plain lines would work where this did not.
    package var isOfTerminal: Bool {
        if case .following = self { false } else { true }
    }
}
