package import BusProtocol
package import TaskTree

/// The broker refuses what a client sent: it tells the client why, and counts it for the log.
extension BrokerMachine {
    /// Takes note of a frame that could not be decoded, and says so to its sender if there is a
    /// route.
    package mutating func refuse(
        _ violation: ProtocolViolation,
        from route: Route?,
        now: Moment
    ) -> [BrokerAction] {
        sessions.refused += 1
        publication.totalsChanged = true
        if let route {
            let code = violation.code
            send(refusal(code, violation.sentence, request: violation.request), to: route)
        }
        log(.debug, "refused a frame", ["code": violation.code.name, "why": violation.sentence])
        return finish(now: now)
    }

    func refusal(
        _ code: RefusalCode,
        _ sentence: String,
        request: UInt64 = 0,
        index: UInt64 = 0
    ) -> WireBrokerFrame.OneOf_Body {
        .refusal(WireRefusal(code, sentence, request: request, index: index))
    }

    mutating func refuseHello(_ code: RefusalCode, _ sentence: String, route: Route) {
        sessions.refused += 1
        publication.totalsChanged = true
        send(refusal(code, sentence), to: route)
        sessions.refusalCounts.add(code, sentence)
    }

    /// Refuses something of a known session: counts every refusal, and tells the session one a
    /// second of each code.
    ///
    /// A refusal that the client acts on for good (`isDecision`) waits until what it rests on is on
    /// disk.
    mutating func refuse(
        _ code: RefusalCode,
        _ sentence: String,
        of id: SessionID,
        index: UInt64 = 0,
        isDecision: Bool = false
    ) {
        sessions.refused += 1
        publication.totalsChanged = true
        sessions.refusalCounts.add(code, sentence)
        guard commands.allowance.spend(.refusal(id, code), limit: 1),
            let route = sessions[id]?.route
        else { return }
        let refusal = refusal(code, sentence, index: index)
        if isDecision { sendJournalled(refusal, to: route) } else { send(refusal, to: route) }
    }

    /// Logs how much was refused since the last second, a line for each code, and how many ended
    /// jobs found no room.
    mutating func logCounts() {
        for (code, count, last) in sessions.refusalCounts.take() {
            log(.warning, "refused", ["code": code.name, "count": String(count), "why": last])
        }
        let evicted = board.undismissed.takeCount()
        if evicted > 0 {
            log(
                .notice,
                "too many ended jobs: the oldest of whoever has the most leaves",
                ["count": String(evicted)]
            )
        }
    }
}
