import Essentials

extension WireAccessRequest: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        switch operation {
        case .join(var join):
            try Check.publicKey(join.key)
            try Check.memberName(join.name) { join.name = $0 }
            operation = .join(join)
        case .renew(let renew): try Check.publicKey(renew.key)
        case .renewBroker(let renew):
            if !renew.take.isEmpty { try Check.publicKey(renew.take) }
        case .invite(let invite):
            try Check.publicKey(invite.key)
            try Check.range(invite.uses, "uses", 1...ProtocolLimits.maxUses)
            try Check.range(invite.seconds, "seconds", 1...ProtocolLimits.maxInvitationSeconds)
            guard Role(invite.role) != nil else {
                throw ProtocolViolation(
                    .outOfRange,
                    "There is no role \(invite.role.rawValue): invite a viewer, reporter, controller "
                        + "or admin."
                )
            }
        case .revoke(var revoke):
            try Check.memberName(revoke.name) { revoke.name = $0 }
            operation = .revoke(revoke)
        case .members, nil: break
        }
    }
}

extension WireAccessAnswer: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.text(sentence, "sentence", ProtocolLimits.sentenceBytes) { sentence = $0 }
        try Check.count(
            members.count + invitations.count + addresses.count,
            "members, invitations and addresses",
            ProtocolLimits.accessEntries
        )
        if hasMember { try member.accept() }
        try members.accept()
        for index in invitations.indices {
            try Check.memberName(invitations[index].name) { invitations[index].name = $0 }
            try Check.memberName(invitations[index].by) { invitations[index].by = $0 }
        }
        for index in addresses.indices {
            let address = addresses[index].address
            try Check.text(address, "address", ProtocolLimits.hostBytes) {
                addresses[index].address = $0
            }
        }
    }
}

extension WireMember: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.memberName(name) { name = $0 }
        try Check.publicKey(key)
    }
}

extension Check {
    static func publicKey(_ key: Data) throws(ProtocolViolation) {
        guard BusKey(key) == nil else { return }
        throw ProtocolViolation(
            .malformed,
            "A key has \(key.count) bytes, or all are zero; send the 32 bytes of a public key."
        )
    }

    /// Checks only the text; the list of members says whether it may be a name.
    fileprivate static func memberName(
        _ name: String,
        replace: (String) -> Void
    ) throws(ProtocolViolation) {
        try text(name, "name of a member", ProtocolLimits.memberNameBytes, replace: replace)
    }
}
