package import BusProtocol

/// What a broker with keys keeps in its file: its own secret key, and who may speak with it.
///
/// Text, a line each, so that somebody can read it when nothing else works; only the broker writes
/// it.
package struct AccessFile: Sendable {
    package var secret: BusKey
    package var list: AccessList
    /// The key pair that it will have next, which members are told.
    package var next: Next?

    package struct Next: Sendable, Hashable {
        package let keys: BusKeyPair
        /// When it takes it, Unix seconds.
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

    /// Reads the text; `nil` if a line of it is not what it should be: to guess would let in whom
    /// nobody has let in.
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

/// How the broker comes from one key to the next without a gap: first it makes it and says it to its
/// members, later it takes it.
extension AccessFile {
    /// Seconds from the one to the other.
    package static let overlap: UInt64 = 86_400

    /// Carries out the request of an admin; once more has no other effect than the first time.
    ///
    /// `own` is the public half of the key that the broker has; `fresh` becomes the next key pair,
    /// if there is none.
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
            // It has been taken meanwhile.
            return outcome
        default:
            outcome.answer.code = RefusalCode.notPermitted.rawValue
            outcome.answer.sentence = "The broker's next key is another one: ask for it first."
        }
        outcome.answer.renews = next?.since ?? 0
        if !outcome.isChanged { outcome.word = nil }
        return outcome
    }

    /// Whether the next key is to be taken.
    package func isNextDue(at now: UInt64) -> Bool { next.map { now >= $0.since } ?? false }

    /// Makes the next key the broker's own, if that is due; whether it was.
    package mutating func takeNext(at now: UInt64) -> Bool {
        guard let next, isNextDue(at: now) else { return false }
        secret = next.keys.secret
        self.next = nil
        list.voidInvitations()
        return true
    }
}
