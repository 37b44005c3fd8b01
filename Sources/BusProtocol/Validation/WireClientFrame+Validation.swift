#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WireClientFrame {
    func validate() throws(ProtocolViolation) {
        try Check.credential(credential.count)
        switch body {
        case .hello(let hello): try hello.validate()
        case .endings(let endings): try endings.validate()
        case .sync(let sync): try Check.positive(sync.request, "request")
        case .redeem(let redeem): try redeem.validate()
        case .snapshot(let snapshot): try snapshot.validate()
        case .find(let find):
            try Check.positive(find.request, "request")
            try Check.text(find.text, "text to find", ProtocolLimits.findBytes)
        case .command(let command): try command.validate()
        case .commandAnswer(let answer):
            try Check.positive(answer.delivery, "delivery")
            try Check.text(answer.text, "text of an answer", ProtocolLimits.answerBytes)
        case .probe(let probe): try Check.positive(probe.request, "request")
        case .detached(let request): try request.validate()
        case .heartbeat, .goodbye, nil: return
        }
    }
}

extension WireHello {
    func validate() throws(ProtocolViolation) {
        guard session != 0 else {
            throw ProtocolViolation(
                .outOfRange,
                "session in hello is 0: choose 64 random bits that are not all zero."
            )
        }
        if hasProcess { try process.validate() }
        try Check.text(client, "client", ProtocolLimits.clientBytes)
    }
}

extension WireEndings {
    func validate() throws(ProtocolViolation) {
        try Check.positive(sequence, "sequence")
        for ending in endings { try ending.validate() }
        for fold in folds { try fold.validate() }
    }
}

extension WireEnding {
    func validate() throws(ProtocolViolation) {
        guard hasDescription_p else {
            throw ProtocolViolation(
                .malformed,
                "An ending has no description: send the whole final row of the task."
            )
        }
        try description_p.validate()
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes)
        try Check.amounts(completed: completed, total: total)
        try Check.text(detail, "detail", ProtocolLimits.detailBytes)
        try Check.clock(
            elapsed: clock.elapsed,
            active: clock.active,
            sinceAdvance: clock.sinceAdvance
        )
        try Check.seconds(time, "time of an ending")
    }
}

extension WireRedeem {
    func validate() throws(ProtocolViolation) {
        try Check.positive(index, "index of a redemption")
        try Check.task(ticket, isPresent: hasTicket, "ticket")
        if hasKnown { try known.validate() }
    }
}

extension WireSnapshotRequest {
    func validate() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.text(topic, "topic", ProtocolLimits.topicBytes)
        try Check.bytes(cursor.count, "cursor", ProtocolLimits.cursorBytes)
        guard Topic(name: topic) == nil else { return }
        throw ProtocolViolation(
            .unknownTopic,
            "There is no topic of the name asked for: ask for one that the protocol lists, such"
                + " as totals/ or board/0/."
        )
    }
}

extension WireCommandRequest {
    func validate() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.task(target, isPresent: hasTarget, "target")
        try Check.range(timeout, "timeout", 0...ProtocolLimits.maxCommandTimeout)
    }
}
