package import BusProtocol

/// The access file of a broker with keys: its secret key, its members and its open invitations.
///
/// The file is text with one entry per line, so that a person can read it in an emergency. Only the
/// broker writes it.
package struct AccessFile: Sendable {
    package var secret: BusKey
    package var list: AccessList
    /// The broker's next key pair, whose public key the broker announces to members.
    package var next: Next?

    package struct Next: Sendable, Hashable {
        package let keys: BusKeyPair
        /// When the broker starts to use this key pair, in Unix seconds.
        package var since: UInt64
    }

    package init(secret: BusKey, list: AccessList = AccessList()) {
        self.secret = secret
        self.list = list
    }

    private static let head = "progressbus-access 1"
    /// Enough for all members and invitations there may be.
    package static let byteLimit = 4 << 20

    package var text: String {
        var lines = [Self.head, "secret \(secret.text)"]
        if let next {
            lines.append("next \(next.keys.public.text) \(next.keys.secret.text) \(next.since)")
        }
        for (key, member) in list.members.sorted(by: { $0.key.text < $1.key.text }) {
            let invitation = member.invitation?.text ?? "-"
            lines.append(
                "member \(key.text) \(member.role.rawValue) \(member.since) \(member.expires ?? 0) "
                    + "\(invitation) \(member.name)"
            )
        }
        for (key, open) in list.invitations.sorted(by: { $0.key.text < $1.key.text }) {
            lines.append(
                "invitation \(key.text) \(open.role.rawValue) \(open.usesLeft) \(open.expires) \(open.by)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the text; `nil` if a line is malformed.
    ///
    /// The parser does not guess: a guess could let in a key that no admin has let in.
    package init?(parsing text: String) {
        var lines = text.split(separator: "\n")[...]
        guard lines.popFirst() == Self.head[...],
            let secret = lines.popFirst()?.split(separator: " "), secret.count == 2,
            secret[0] == "secret", let key = BusKey(text: secret[1])
        else { return nil }
        self.init(secret: key)
        for line in lines {
            let words = line.split(separator: " ")
            if words.count == 4, words[0] == "next", next == nil, let own = BusKey(text: words[1]),
                let secret = BusKey(text: words[2]), let since = UInt64(words[3])
            {
                next = Next(keys: BusKeyPair(public: own, secret: secret), since: since)
                continue
            }
            guard words.count >= 3, let key = BusKey(text: words[1]),
                let role = Role(rawValue: String(words[2]))
            else { return nil }
            if words[0] == "member", words.count == 7, let since = UInt64(words[3]),
                let expires = UInt64(words[4]), MemberName.isValid(words[6])
            {
                let member = AccessList.Member(
                    name: String(words[6]),
                    role: role,
                    since: since,
                    expires: expires == 0 ? nil : expires,
                    invitation: BusKey(text: words[5])
                )
                list.restore(key, member)
            } else if words[0] == "invitation", words.count == 6, let uses = UInt32(words[3]),
                let expires = UInt64(words[4]), MemberName.isValid(words[5])
            {
                let open = AccessList.OpenInvitation(
                    role: role,
                    usesLeft: uses,
                    expires: expires,
                    by: String(words[5])
                )
                list.restore(key, open)
            } else {
                return nil
            }
        }
    }
}

/// Replaces the broker's key pair without a gap: the broker first announces the next one to its
/// members, and starts to use it later.
extension AccessFile {
    /// Seconds from the announcement of the next key pair to its use.
    package static let overlap: UInt64 = 86_400

    /// Carries out an admin's request to renew the broker's key; repeating a request changes
    /// nothing.
    ///
    /// `own` is the public half of the broker's present key. `fresh` becomes the next key pair
    /// unless there is one already.
    package mutating func renew(
        _ request: WireAccessRequest,
        by admin: BusKey,
        own: BusKey?,
        fresh: BusKeyPair,
        at now: UInt64
    ) -> AccessList.Outcome {
        var outcome = AccessList.Outcome()
        outcome.answer.request = request.request
        let name = list.members[admin]?.name ?? ""
        let known = next ?? Next(keys: fresh, since: now + Self.overlap)
        switch request.renewBroker.publicKey {
        case nil:
            outcome.isChanged = next == nil
            outcome.word = "\(name) has the broker take another key in a day"
            next = known
        case known.keys.public where next != nil:
            outcome.isChanged = known.since > now
            outcome.word = "\(name) has the broker take its next key now"
            next?.since = min(known.since, now)
        case own:
            // The broker uses this key already.
            return outcome
        default:
            outcome.answer.code = RefusalCode.notPermitted.rawValue
            outcome.answer.sentence = "The broker's next key is another one: ask for it first."
        }
        outcome.answer.renews = next?.since ?? 0
        if !outcome.isChanged { outcome.word = nil }
        return outcome
    }

    /// Whether it is time to use the next key pair.
    package func isNextDue(at now: UInt64) -> Bool { next.map { now >= $0.since } ?? false }

    /// Makes the next key pair the broker's own if it is due; returns whether it was.
    package mutating func takeNext(at now: UInt64) -> Bool {
        guard let next, isNextDue(at: now) else { return false }
        secret = next.keys.secret
        self.next = nil
        list.voidInvitations()
        return true
    }
}
