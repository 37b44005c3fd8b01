package import BusProtocol
import ZeroMQ

extension Invitation {
    /// Makes this user a member of the bus; blocks for at most `seconds`.
    ///
    /// The member gets a new key pair, of which only the public half is sent. The membership is
    /// written into the file. If the name is taken, the broker gives another one.
    ///
    /// - Throws: ``AccessError`` if the broker refuses or does not answer, or libzmq has no CURVE;
    ///   `EndpointError` if the file cannot be written.
    package func join(
        keeping file: NamedBus,
        as name: String,
        within seconds: Double
    ) throws -> Membership {
        // Checked first: a key that cannot be saved would use up the invitation, and stay a
        // member's for good.
        try file.prepare()
        guard let invited = SocketKeys.publicKey(of: secret.bytes).flatMap({ BusKey($0) }),
            let keys = BusKeyPair.new()
        else { throw AccessError(reason: .unreachable, sentence: "this libzmq has no CURVE") }
        var membership = Membership(
            file: file,
            address: address,
            server: server,
            keys: BusKeyPair(public: invited, secret: secret),
            name: name,
            role: nil
        )
        var join = WireJoin()
        join.publicKey = keys.public
        join.name = name
        let reply = try AccessExchange.ask(
            .join(join),
            of: BusEndpoint(membership),
            within: seconds
        )
        let member = reply.answer.member
        membership = Membership(
            file: file,
            address: address,
            server: server,
            nextServer: reply.nextKey,
            keys: keys,
            name: member.name,
            role: Role(member.role)
        )
        try file.write(membership)
        return membership
    }
}

extension BusKeyPair {
    /// Makes a new key pair; `nil` if this libzmq has no CURVE.
    package static func new() -> BusKeyPair? {
        guard let pair = SocketKeys.newPair(), let own = BusKey(pair.public),
            let secret = BusKey(pair.secret)
        else { return nil }
        return BusKeyPair(public: own, secret: secret)
    }
}
