package import BusProtocol

extension AccessList {
    /// The outcome of an access request.
    package struct Outcome {
        package var answer = WireAccessAnswer()
        /// Whether the request has changed the contents of the access file, so that the broker
        /// writes the file before it sends the answer.
        package var isChanged = false
        /// The member or invitation that the request has revoked.
        package var revoked: Revoked?
        /// A line for the log; `nil` if nothing has changed.
        package var word: String?
    }

    /// A member or an invitation that an admin has revoked, with its keys.
    package struct Revoked {
        package let name: String
        package let keys: Set<BusKey>
    }

    /// Carries out the request of a key; the caller has checked that the key may make it.
    package mutating func apply(
        _ request: WireAccessRequest,
        of key: BusKey,
        refused: RefusedAttempts,
        at now: UInt64
    ) -> Outcome {
        var outcome = Outcome()
        outcome.answer.request = request.request
        let former = self
        do throws(Refusal) {
            switch request.operation {
            case .join(let join):
                guard let new = join.publicKey else { break }
                let member = try self.join(new, as: join.name, by: key, at: now)
                outcome.answer.member = WireMember(new, member)
                outcome.word = "\(member.name) has joined as \(member.role.rawValue)"
            case .renew(let renew):
                guard let new = renew.publicKey else { break }
                let member = try self.renew(key, to: new, at: now)
                outcome.answer.member = WireMember(new, member)
                outcome.word = "\(member.name) has another key"
            case .invite(let invite):
                guard let new = invite.publicKey, let role = Role(invite.role) else { break }
                let by = members[key]?.name ?? ""
                try self.invite(
                    new,
                    OpenInvitation(
                        role: role,
                        usesLeft: invite.uses,
                        expires: now + UInt64(invite.seconds),
                        by: by
                    )
                )
                outcome.word = "\(by) has invited a \(role.rawValue): \(new.label)"
            case .revoke(let revoke):
                let by = members[key]?.name ?? ""
                let open = openInvitation(of: revoke.name, at: now)
                outcome.revoked = Revoked(name: revoke.name, keys: try self.revoke(revoke.name))
                if let open {
                    outcome.answer.sentence =
                        "\(revoke.name) joined by the invitation \(open.label), which still lets "
                        + "\(open.usesLeft) join: to keep them out, revoke that too."
                }
                outcome.word = "\(by) has revoked \(revoke.name)"
            case .members(let page):
                list(skip: Int(page.skip), refused: refused, at: now, into: &outcome.answer)
            case .renewBroker, nil:
                throw Refusal(.unsupported, "The broker does not know this request.")
            }
        } catch {
            outcome.answer.code = error.code.rawValue
            outcome.answer.sentence = error.sentence
        }
        outcome.isChanged = self != former
        if !outcome.isChanged { outcome.word = nil }
        return outcome
    }

    /// Puts one page of the list into the answer: members by name, then open invitations.
    private func list(
        skip: Int,
        refused: RefusedAttempts,
        at now: UInt64,
        into answer: inout WireAccessAnswer
    ) {
        let room = ProtocolLimits.accessEntries - RefusedAttempts.shown
        let members = members.sorted {
            $0.value.name == $1.value.name
                ? ($0.value.since, $0.key.text) < ($1.value.since, $1.key.text)
                : $0.value.name < $1.value.name
        }
        let invitations = invitations.filter { $0.value.usesLeft > 0 && now < $0.value.expires }
            .sorted { $0.key.text < $1.key.text }
        answer.members = members.dropFirst(skip).prefix(room).map(WireMember.init)
        let skipped = max(0, skip - members.count)
        answer.invitations = invitations.dropFirst(skipped).prefix(room - answer.members.count).map
        {
            var open = WireOpenInvitation()
            open.name = $0.label
            open.role = $1.role.wire
            open.uses = $1.usesLeft
            open.expires = $1.expires
            open.by = $1.by
            return open
        }
        let count = answer.members.count + answer.invitations.count
        answer.last = skip + count >= members.count + invitations.count
        answer.refused = refused.count
        answer.addresses = refused.most
    }
}

extension WireMember {
    init(_ key: BusKey, _ member: AccessList.Member) {
        self.init()
        name = member.name
        role = member.role.wire
        publicKey = key
        since = member.since
        expires = member.expires ?? 0
    }
}
