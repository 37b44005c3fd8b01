/// What a member of a bus with keys may do.
package enum Role: String, CaseIterable, Sendable {
    /// Looks at everything, and changes nothing.
    case viewer
    /// Reports its own work, and sees nothing of others': what a job of a cluster needs.
    case reporter
    /// Looks, reports, and cancels, pauses, resumes and dismisses.
    case controller
    /// All of it, and invites and revokes others.
    case admin

    package func allows(_ right: Right) -> Bool {
        switch self {
        case .viewer: right == .read
        case .reporter: right == .report
        case .controller: [.read, .report, .command].contains(right)
        case .admin: true
        }
    }
}

extension Role {
    /// The role of a frame; `nil` for one that this version does not know.
    package init?(_ wire: WireRole) {
        guard let role = Role.allCases.first(where: { $0.wire == wire }) else { return nil }
        self = role
    }

    package var wire: WireRole {
        switch self {
        case .viewer: .viewer
        case .reporter: .reporter
        case .controller: .controller
        case .admin: .admin
        }
    }
}

/// A kind of thing that a frame may ask for.
package enum Right: Sendable {
    /// To be shown tasks.
    case read
    /// To speak for tasks of one's own.
    case report
    /// To ask for tasks to be cancelled, paused, resumed or dismissed.
    case command
    /// To invite, list and revoke members, and to renew the broker's key.
    case invite
}

extension WireClientFrame.OneOf_Body {
    /// The right that the frame needs; `nil` if every member may send it.
    package var right: Right? {
        switch self {
        case .hello(let hello): hello.viewer ? .read : .report
        case .endings, .sync, .redeem, .commandAnswer, .detached: .report
        case .snapshot, .find: .read
        case .command: .command
        case .access(let request): request.right
        // A broker with keys takes these from its bridge alone, which is no member.
        case .fleetPages, .fleetRows, .fleetAnswer, .fleetSession: .invite
        case .heartbeat, .goodbye, .probe: nil
        }
    }
}

extension WireAccessRequest {
    fileprivate var right: Right? {
        switch operation {
        case .invite, .revoke, .members, .renewBroker: .invite
        case .join, .renew, nil: nil
        }
    }
}
