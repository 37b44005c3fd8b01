package import BusProtocol

/// Who may speak with a broker that has keys: its members, and the invitations that are open.
///
/// A plain value. Times are Unix seconds, because the access file keeps them across restarts.
package struct AccessList: Sendable, Equatable {
    package struct Member: Sendable, Hashable {
        package var name: String
        package var role: Role
        package var since: UInt64
        /// When this key expires, if the member has replaced it; `nil` for the member's present
        /// key.
        package var expires: UInt64?
        /// The key of the invitation by which the member joined; `nil` for the broker's own user.
        package var invitation: BusKey?

        package init(
            name: String,
            role: Role,
            since: UInt64,
            expires: UInt64? = nil,
            invitation: BusKey? = nil
        ) {
            self.name = name
            self.role = role
            self.since = since
            self.expires = expires
            self.invitation = invitation
        }
    }

    package struct OpenInvitation: Sendable, Hashable {
        package var role: Role
        package var usesLeft: UInt32
        package var expires: UInt64
        /// The name of the member who made the invitation.
        package var by: String
    }

    /// What a key is to the broker.
    package enum Standing: Equatable, Sendable {
        case member(Member)
        /// It may join, and nothing else.
        case invited
        case unknown
    }

    /// How many members there may be; at the limit nobody joins.
    package static let memberLimit = 10_000
    /// How many invitations may be open; at the limit none is made.
    package static let invitationLimit = 1_000
    /// Seconds that a key stays valid after its member has taken another one.
    package static let formerKeyKept: UInt64 = 86_400

    package private(set) var members: [BusKey: Member] = [:]
    package private(set) var invitations: [BusKey: OpenInvitation] = [:]

    package init() {}

    /// The standing of a key at a time.
    package func standing(of key: BusKey, at now: UInt64) -> Standing {
        if let member = members[key], member.expires.map({ now < $0 }) ?? true {
            return .member(member)
        }
        guard let invitation = invitations[key], now < invitation.expires else { return .unknown }
        return .invited
    }

    /// Adds a member or an invitation from the access file, or the first admin.
    package mutating func restore(_ key: BusKey, _ member: Member) { members[key] = member }
    package mutating func restore(_ key: BusKey, _ invitation: OpenInvitation) {
        invitations[key] = invitation
    }

    /// Removes all invitations.
    ///
    /// Each of them tells a client the broker's former key, and the broker
    /// refuses a client that connects with that key.
    mutating func voidInvitations() { invitations = [:] }

    /// Removes expired keys and invitations; returns the removed keys.
    package mutating func prune(at now: UInt64) -> Set<BusKey> {
        let former = members.filter { $0.value.expires.map { now >= $0 } ?? false }
        // A used-up invitation stays until it expires: a client that repeats its join gets its
        // answer.
        let over = invitations.filter { now >= $0.value.expires }
        for key in former.keys { members[key] = nil }
        for key in over.keys { invitations[key] = nil }
        return Set(former.keys).union(over.keys)
    }
}

// MARK: - What changes it

extension AccessList {
    /// Why a request is not carried out.
    typealias Refusal = ProtocolViolation

    /// Makes a key a member's by an invitation; repeating the request changes nothing.
    mutating func join(
        _ key: BusKey,
        as wish: String,
        by invitationKey: BusKey,
        at now: UInt64
    ) throws(Refusal) -> Member {
        // People type the name in a shell, and the access file holds it as one word.
        guard MemberName.isValid(wish) else {
            throw Refusal(.malformed, "A name of a member is \(MemberName.rule).")
        }
        if let member = members[key] {
            guard member.invitation == invitationKey else {
                throw Refusal(.notPermitted, "This key is a member already; make another one.")
            }
            return member
        }
        guard let invitation = invitations[invitationKey], now < invitation.expires else {
            throw Refusal(.notPermitted, "The invitation has expired; ask for another one.")
        }
        guard invitation.usesLeft > 0 else {
            throw Refusal(
                .notPermitted,
                "The invitation has been used as often as it may be; ask for another one."
            )
        }
        guard members.count < Self.memberLimit else {
            throw Refusal(
                .busy,
                "The bus has \(Self.memberLimit) members, the most there may be; revoke some."
            )
        }
        guard invitations[key] == nil else {
            throw Refusal(.notPermitted, "This key is an invitation; make a key pair of your own.")
        }
        let member = Member(
            name: freeName(like: wish),
            role: invitation.role,
            since: now,
            invitation: invitationKey
        )
        members[key] = member
        invitations[invitationKey]?.usesLeft -= 1
        return member
    }

    /// Gives a member another key; the former key stays valid for ``formerKeyKept`` seconds.
    mutating func renew(_ former: BusKey, to key: BusKey, at now: UInt64) throws(Refusal) -> Member
    {
        guard var member = members[former] else {
            throw Refusal(.notPermitted, "Only a member can take another key.")
        }
        if let known = members[key] {
            guard known.name == member.name, known.expires == nil else {
                throw Refusal(.notPermitted, "This key is a member already; make another one.")
            }
            return known
        }
        guard invitations[key] == nil, member.expires == nil else {
            throw Refusal(.notPermitted, "This key has been replaced; renew the newest one.")
        }
        guard members.count < Self.memberLimit else {
            throw Refusal(.busy, "The bus has no room for another key; revoke some members.")
        }
        members[former]?.expires = now + Self.formerKeyKept
        member.since = now
        members[key] = member
        return member
    }

    /// Opens an invitation; repeating the request changes nothing.
    mutating func invite(_ key: BusKey, _ invitation: OpenInvitation) throws(Refusal) {
        if let known = invitations[key], known.by == invitation.by { return }
        guard members[key] == nil, invitations[key] == nil else {
            throw Refusal(.notPermitted, "This key is in use already; make another one.")
        }
        guard invitations.count < Self.invitationLimit else {
            throw Refusal(
                .busy,
                "There are \(Self.invitationLimit) open invitations, the most there may be; revoke "
                    + "some, or wait until some have expired."
            )
        }
        invitations[key] = invitation
    }

    /// Removes a member with all its keys, or the invitation whose key has this label.
    ///
    /// - Returns: The keys that are no longer let in.
    mutating func revoke(_ name: String) throws(Refusal) -> Set<BusKey> {
        let keys =
            members.filter { $0.value.name == name }.keys
            + invitations.keys.filter { $0.label == name }
        guard !keys.isEmpty else {
            throw Refusal(
                .unknownTask,
                "There is neither a member nor an invitation \(name); `progressbus members` lists them."
            )
        }
        let admins = members.filter { $0.value.role == .admin && $0.value.name != name }
        guard !admins.isEmpty else {
            throw Refusal(.notPermitted, "\(name) is the last admin; invite another one first.")
        }
        for key in keys {
            members[key] = nil
            invitations[key] = nil
        }
        return Set(keys)
    }

    /// The invitation by which a member joined, if others may still join by it; otherwise `nil`.
    func openInvitation(of name: String, at now: UInt64) -> (label: String, usesLeft: UInt32)? {
        for member in members.values where member.name == name {
            if let key = member.invitation, let open = invitations[key], open.usesLeft > 0,
                now < open.expires
            {
                return (key.label, open.usesLeft)
            }
        }
        return nil
    }

    private func freeName(like wish: String) -> String {
        let taken = Set(members.values.map(\.name))
        guard taken.contains(wish) else { return wish }
        let stem = wish.prefix(56)
        // There are fewer members than numbers.
        let number = (2...(Self.memberLimit + 2)).first { !taken.contains("\(stem)-\($0)") }
        return "\(stem)-\(number ?? 2)"
    }
}
