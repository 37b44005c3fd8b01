#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WireClientFrame {
    mutating func accept() throws(ProtocolViolation) {
        try Check.credential(credential.count)
        // Taken out, as a list that is in the frame as well would be copied by its first change.
        guard let body else { return }
        self.body = nil
        switch consume body {
        case .hello(var hello):
            try hello.accept()
            self.body = .hello(hello)
        case .endings(var endings):
            // Looked at here: what the journal keeps of a task that nobody has spoken for has none.
            try Check.positive(endings.sequence, "sequence")
            try endings.accept()
            self.body = .endings(endings)
        case .redeem(let redeem):
            try redeem.accept()
            self.body = .redeem(redeem)
        case .snapshot(var snapshot):
            try snapshot.accept()
            self.body = .snapshot(snapshot)
        case .find(var find):
            try find.accept()
            self.body = .find(find)
        case .command(let command):
            try command.accept()
            self.body = .command(command)
        case .commandAnswer(var answer):
            try answer.accept()
            self.body = .commandAnswer(answer)
        case .detached(var request):
            try request.accept()
            self.body = .detached(request)
        case .access(var request):
            try request.accept()
            self.body = .access(request)
        case .sync(let sync):
            try Check.positive(sync.request, "request")
            self.body = .sync(sync)
        case .probe(let probe):
            try Check.positive(probe.request, "request")
            self.body = .probe(probe)
        case .heartbeat(let heartbeat): self.body = .heartbeat(heartbeat)
        case .goodbye(let goodbye): self.body = .goodbye(goodbye)
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

extension WireRedeem {
    func accept() throws(ProtocolViolation) {
        try Check.positive(index, "index of a redemption")
        try Check.task(ticket, isPresent: hasTicket, "ticket")
        if hasKnown { try known.accept() }
    }
}

extension WireSnapshotRequest {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
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

extension WireFind {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.text(text, "text to find", ProtocolLimits.findBytes) { text = $0 }
    }
}

extension WireCommandAnswer {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(delivery, "delivery")
        try Check.text(text, "text of an answer", ProtocolLimits.answerBytes) { text = $0 }
    }
}

extension WireCommandRequest {
    func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.task(target, isPresent: hasTarget, "target")
        try Check.range(timeout, "timeout", 0...ProtocolLimits.maxCommandTimeout)
    }
}
