package import BusProtocol
package import TaskTree

/// Members of a bus that has keys: a session belongs to one member, even if another member knows
/// its credential.
extension BrokerMachine {
    /// Sends the answer to an access request, which only the broker around this machine knows.
    package mutating func answer(
        _ answer: WireAccessAnswer,
        to route: Route,
        now: Moment
    ) -> [BrokerAction] {
        send(.access(answer), to: route)
        return finish(now: now)
    }

    /// An empty frame and the connections of all sessions: it tells them what every frame carries.
    package var news: (frame: WireBrokerFrame, routes: [Route]) {
        var frame = WireBrokerFrame()
        frame.epoch = outbox.epoch
        return (frame, sessions.known.values.compactMap(\.route))
    }

    /// Revokes a member: nothing more is sent to its sessions, and nothing that they say counts.
    ///
    /// What the sessions have not ended is lost. The detached tasks that the member began are
    /// cancelled, so that nobody who joins under its name later speaks for them.
    ///
    /// - Returns: The connections of the sessions, for whoever keeps something for these.
    package mutating func revoked(_ member: String, now: Moment) -> [Route] {
        var routes: [Route] = []
        for (id, session) in sessions.known where session.way.member == member {
            if let route = session.route, route.elsewhere == nil { routes.append(route) }
            sessions.move(id, to: nil)
            guard session.phase != .lost, session.phase != .ended else { continue }
            lose(id, reason: "\(member), who reported it, was revoked", now: now)
        }
        let begun = detached.tasks.filter { $0.value.owner == member }.map(\.key.index)
        cancelDetached(begun.sorted(), reason: "\(member), who began it, was revoked")
        return routes
    }

    /// Whether a member may report for a session; refuses the report if the session is another
    /// member's.
    mutating func isOwner(_ member: String, of id: SessionID) -> Bool {
        guard let owner = sessions[id]?.way.member, owner != member else { return true }
        refuse(.badCredential, "A report came from \(member), whose session this is not.", of: id)
        return false
    }

    /// Refuses a frame for a session that belongs to another member.
    mutating func refuseStranger(to id: SessionID, route: Route) {
        refuseHello(
            .badCredential,
            "Session \(id) belongs to another member of the bus.",
            route: route
        )
    }

    /// Tells whoever asks about members that there are none.
    mutating func refuseAccess(_ request: WireAccessRequest, from route: Route) {
        let sentence = "This bus has no keys: whoever reaches it is let in."
        send(refusal(.unsupported, sentence, request: request.request), to: route)
    }
}
