import Essentials

extension WireFleetPages: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(trouble, "trouble", ProtocolLimits.sentenceBytes) { trouble = $0 }
        try Check.count(pages.count, "pages", ProtocolLimits.ownedPages)
        for page in pages { try Check.range(page, "page", 0...ProtocolLimits.fleetPages - 1) }
        guard Set(pages).count == pages.count else {
            throw ProtocolViolation(.malformed, "A page is named twice: name each page once.")
        }
    }
}

extension WireFleetRows: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(broker, "broker")
        try Check.text(host, "host", ProtocolLimits.hostBytes) { host = $0 }
        try rows.accept()
        guard rows.allSatisfy(\.isWholeJob) else { throw WireRow.noWholeJob }
        for task in removed { try Check.task(task, "task removed", foreign: true) }
        try Check.unixTime(unheard, "unheard")
    }
}

extension WireFleetRecord: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(broker, "broker")
        try Check.text(host, "host", ProtocolLimits.hostBytes) { host = $0 }
        try Check.unixTime(time, "time")
        if hasQuestion { try question.accept() }
        if hasAnswer { try answer.accept() }
        if hasSession { try session.accept() }
        guard hasRow else { return }
        try row.accept()
        guard row.isWholeJob else { throw WireRow.noWholeJob }
    }
}

extension WireFleetSession: CheckedMessage {
    package func accept() throws(ProtocolViolation) {
        try Check.positive(broker, "broker")
        try Check.positive(session, "session")
        // Whoever reads the inner frame checks it.
        try Check.count(frame.count, "bytes of a frame", ProtocolLimits.clientFrameBytes)
    }
}

extension WireFleetQuestion: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        switch question {
        case .snapshot: try snapshot.accept()
        // A `find` may go to all brokers, which is broker 0.
        case .find: return try find.accept()
        case .command: try command.accept()
        case .detached: try detached.accept()
        case nil: break
        }
        try Check.positive(broker, "broker")
    }
}

extension WireFleetAnswer: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(broker, "broker")
        try Check.positive(request, "request")
        switch answer {
        case .refusal: try refusal.accept()
        case .snapshot: try snapshot.accept()
        case .found: try found.accept()
        case .commandResult: try commandResult.accept()
        case .detached: try detached.accept()
        case nil: break
        }
    }
}

extension WireRow {
    fileprivate static let noWholeJob = ProtocolViolation(
        .malformed,
        "A row of the fleet is no whole job: send its description with a slot, and its progress."
    )

    fileprivate var isWholeJob: Bool {
        hasDescription_p && hasProgress && description_p.hasSlot && !description_p.hasParent
            && description_p.slot <= ProtocolLimits.fleetPages * UInt32(ProtocolLimits.boardSlots)
    }
}
