package import BusProtocol
import ZeroMQ

extension Invitation {
    /// Becomes a member, which is written into the file, with a new key pair of which only the
    /// public half is sent; blocks for so many seconds at most.
    ///
    /// Another name is given by the broker where the one wanted is taken.
    ///
    /// - Throws: ``AccessError`` where the broker says no or nothing, `EndpointError` where the file
    ///   cannot be written.
    package func join(
        keeping file: NamedBus,
        as name: String,
        within seconds: Double
    ) throws -> Membership {
        // A key that is not kept would have used up the invitation, and be a member's for good.
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
    /// A new one; nil where this libzmq has no CURVE.
    package static func new() -> BusKeyPair? {
        guard let pair = SocketKeys.newPair(), let own = BusKey(pair.public),
            let secret = BusKey(pair.secret)
        else { return nil }
        return BusKeyPair(public: own, secret: secret)
    }
}
