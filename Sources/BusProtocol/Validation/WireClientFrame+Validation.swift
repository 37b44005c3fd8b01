import Essentials

extension WireClientFrame: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        let request = body?.request
        do throws(ProtocolViolation) {
            try Check.credential(credential.count)
            if let request { try Check.positive(request, "request") }
            guard let body else { return }
            // Taken out: the first change of a list that the frame has too would copy the list.
            self.body = nil
            self.body = try (consume body).accepted()
        } catch {
            var violation = error
            violation.request = request ?? 0
            throw violation
        }
    }
}

extension WireClientFrame.OneOf_Body {
    fileprivate consuming func accepted() throws(ProtocolViolation) -> Self {
        switch consume self {
        case .hello(let hello): return .hello(try hello.accepted())
        case .endings(let endings):
            // Checked here, not in `WireEndings`: in the journal, the row of a task that no session
            // has spoken for has sequence 0.
            try Check.positive(endings.sequence, "sequence")
            return .endings(try endings.accepted())
        case .redeem(let redeem): return .redeem(try redeem.accepted())
        case .snapshot(let snapshot): return .snapshot(try snapshot.accepted())
        case .find(let find): return .find(try find.accepted())
        case .command(let command): return .command(try command.accepted())
        case .commandAnswer(let answer): return .commandAnswer(try answer.accepted())
        case .detached(let request): return .detached(try request.accepted())
        case .access(let request): return .access(try request.accepted())
        case .fleetPages(let pages): return .fleetPages(try pages.accepted())
        case .fleetRows(let rows): return .fleetRows(try rows.accepted())
        case .fleetAnswer(let answer): return .fleetAnswer(try answer.accepted())
        case .fleetSession(let said): return .fleetSession(try said.accepted())
        case .sync(let sync): return .sync(sync)
        case .probe(let probe): return .probe(probe)
        case .heartbeat(let heartbeat): return .heartbeat(heartbeat)
        case .goodbye(let goodbye): return .goodbye(goodbye)
        }
    }
}

extension WireHello: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        guard session != 0 else {
            throw ProtocolViolation(
                .outOfRange,
                "session in hello is 0: choose 64 random bits that are not all zero."
            )
        }
        if hasProcess { try process.accept() }
        try Check.text(client, "client", ProtocolLimits.clientBytes) { client = $0 }
        try Check.unixTime(time, "time of a hello")
    }
}

extension WireEndings: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.removed(folds)
        try endings.accept()
        try folds.accept()
    }
}

extension WireEnding: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        guard hasDescription_p else {
            throw ProtocolViolation(
                .malformed,
                "An ending has no description: send the whole final row of the task."
            )
        }
        try description_p.accept()
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes) { reason = $0 }
        try Check.amounts(completed: completed, total: hasTotal ? total : -1)
        try Check.text(detail, "detail", ProtocolLimits.detailBytes) { detail = $0 }
        try Check.clock(
            elapsed: clock.elapsed,
            active: clock.active,
            sinceAdvance: clock.sinceAdvance
        )
        try Check.unixTime(time, "time of an ending")
        try Check.text(owner, "owner", ProtocolLimits.memberNameBytes) { owner = $0 }
    }
}

extension WireRedeem: CheckedMessage {
    package func accept() throws(ProtocolViolation) {
        try Check.positive(index, "index of a redemption")
        try Check.task(ticket, isPresent: hasTicket, "ticket")
        if hasKnown { try known.accept() }
    }
}

extension WireSnapshotRequest: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(topic, "topic", ProtocolLimits.topicBytes) { topic = $0 }
        try Check.bytes(cursor.count, "cursor", ProtocolLimits.cursorBytes)
        guard Topic(name: topic) == nil else { return }
        throw ProtocolViolation(
            .unknownTopic,
            "There is no topic of the name asked for: ask for one that the protocol lists, such"
                + " as totals/ or board/0/."
        )
    }
}

extension WireFind: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(text, "text to find", ProtocolLimits.findBytes) { text = $0 }
        if hasSearch { try search.accept() }
    }
}

extension WireSearch: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(filter, "filter", ProtocolLimits.filterBytes) { filter = $0 }
        try Check.task(job, isPresent: hasJob, "job of a search")
        if hasAfter { try Check.task(after, "task to search after") }
    }
}

extension WireCommandAnswer: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(delivery, "delivery")
        try Check.text(text, "text of an answer", ProtocolLimits.answerBytes) { text = $0 }
    }
}

extension WireCommandRequest: CheckedMessage {
    package func accept() throws(ProtocolViolation) {
        try Check.task(target, isPresent: hasTarget, "target")
        try Check.range(timeout, "timeout", 0...ProtocolLimits.maxCommandTimeout)
    }
}
