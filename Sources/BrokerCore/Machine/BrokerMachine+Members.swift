package import BusProtocol
package import TaskTree

/// Members of a bus that has keys: a session is one's own, whoever else knows its credential.
extension BrokerMachine {
    /// Answers what only the broker around this one knows.
    package mutating func answer(
        _ answer: WireAccessAnswer,
        to route: Route,
        now: Moment
    ) -> [BrokerAction] {
        send(.access(answer), to: route)
        return finish(now: now)
    }

    /// An empty frame and the connections of all sessions: it carries what every frame carries.
    package var news: (frame: WireBrokerFrame, routes: [Route]) {
        var frame = WireBrokerFrame()
        frame.epoch = outbox.epoch
        return (frame, sessions.known.values.compactMap(\.route))
    }

    /// These members are no members any more: nothing more is sent to them.
    ///
    /// - Returns: Where they were, for whoever keeps something for them.
    package mutating func revoked(_ members: Set<String>) -> [Route] {
        var routes: [Route] = []
        for (id, session) in sessions.known {
            guard let member = session.way.member, members.contains(member) else { continue }
            if let route = session.route { routes.append(route) }
            sessions.move(id, to: nil)
        }
        return routes
    }

    /// Whether a report of this session is the member's, who is told if not.
    mutating func isOwner(_ member: String, of id: SessionID) -> Bool {
        guard let owner = sessions[id]?.way.member, owner != member else { return true }
        refuse(.badCredential, "A report came from \(member), whose session this is not.", of: id)
        return false
    }

    /// Refuses what is said for a session by somebody else.
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
