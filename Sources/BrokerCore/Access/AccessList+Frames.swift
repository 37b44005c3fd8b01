package import BusProtocol

extension AccessList {
    /// Returns the name of the member who sent a frame, empty for an invitation; throws if the key
    /// may not send the frame.
    ///
    /// Call it for every frame: a key that was admitted an hour ago may have been revoked since.
    package func sender(
        of body: WireClientFrame.OneOf_Body?,
        with key: BusKey?,
        at now: UInt64
    ) throws(ProtocolViolation) -> String {
        switch key.map({ standing(of: $0, at: now) }) ?? .unknown {
        case .unknown:
            throw ProtocolViolation(
                .notPermitted,
                "This key is no member's: it was revoked, or has expired. Join anew.",
                request: body?.request ?? 0
            )
        case .invited:
            if case .access(let request) = body, case .join = request.operation { return "" }
            throw ProtocolViolation(
                .notPermitted,
                "With an invitation one can only join.",
                request: body?.request ?? 0
            )
        case .member(let member):
            guard let right = body?.right, !member.role.allows(right) else { return member.name }
            throw ProtocolViolation(
                .notPermitted,
                "\(member.name) is a \(member.role.rawValue) here and may not "
                    + "\(right.words); ask an admin for an invitation as \(right.role.rawValue).",
                request: body?.request ?? 0
            )
        }
    }

    /// The member whose key this is, if it may do something now.
    package func member(_ key: BusKey?, allowedTo right: Right, at now: UInt64) -> String? {
        guard let key, case .member(let member) = standing(of: key, at: now),
            member.role.allows(right)
        else { return nil }
        return member.name
    }
}

extension Right {
    fileprivate var words: String {
        switch self {
        case .read: "look at tasks"
        case .report: "report tasks"
        case .command: "cancel, pause, resume or dismiss tasks"
        case .invite: "invite, list or revoke members, or renew the broker's key"
        }
    }

    /// The role that allows it and least else; the roles begin with the one that may least.
    fileprivate var role: Role { Role.allCases.first { $0.allows(self) } ?? .admin }
}
