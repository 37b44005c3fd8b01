#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WireBrokerFrame {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(epoch, "epoch")
        if !nextKey.isEmpty { try Check.publicKey(nextKey) }
        // Taken out, as a list that is in the frame as well would be copied by its first change.
        guard let body else { return }
        self.body = nil
        switch consume body {
        case .refusal(var refusal):
            try Check.text(refusal.sentence, "sentence", ProtocolLimits.sentenceBytes) {
                refusal.sentence = $0
            }
            self.body = .refusal(refusal)
        case .welcome(var welcome):
            try welcome.accept()
            self.body = .welcome(welcome)
        case .endingsJournalled(let journalled):
            try Check.positive(journalled.sequence, "sequence")
            self.body = .endingsJournalled(journalled)
        case .syncReached(let reached):
            try Check.positive(reached.request, "request")
            self.body = .syncReached(reached)
        case .binding(let binding):
            try binding.accept()
            self.body = .binding(binding)
        case .places(let places):
            try places.accept()
            self.body = .places(places)
        case .snapshot(var chunk):
            try chunk.accept()
            self.body = .snapshot(chunk)
        case .found(var found):
            try found.accept()
            self.body = .found(found)
        case .command(let delivery):
            try Check.positive(delivery.delivery, "delivery")
            for index in delivery.index { try Check.positive(index, "index of a command") }
            self.body = .command(delivery)
        case .commandResult(var result):
            try result.accept()
            self.body = .commandResult(result)
        case .probe(let answer):
            try Check.positive(answer.request, "request")
            self.body = .probe(answer)
        case .detached(var answer):
            try answer.accept()
            self.body = .detached(answer)
        case .access(var answer):
            try answer.accept()
            self.body = .access(answer)
        case .who(let who): self.body = .who(who)
        case .goodbyeAccepted(let accepted): self.body = .goodbyeAccepted(accepted)
        }
    }
}

extension WireWelcome {
    mutating func accept() throws(ProtocolViolation) {
        try Check.text(version, "version", ProtocolLimits.clientBytes) { version = $0 }
        try Check.range(heartbeat, "heartbeat", 1...ProtocolLimits.maxInterval)
        try Check.range(tick, "tick", 1...ProtocolLimits.maxInterval)
        try Check.seconds(uptime, "uptime")
    }
}

extension WireBinding: CheckedMessage {
    package func accept() throws(ProtocolViolation) {
        try Check.positive(index, "index of a binding")
        switch kind {
        case .holder:
            try Check.task(task, isPresent: hasTask, "task of a binding")
            try Check.range(attempt, "attempt of a holder", 1...ProtocolLimits.maxAttempt)
        case .child: try Check.task(task, isPresent: hasTask, "task of a binding")
        case .inert, .unknown, .UNRECOGNIZED: return
        }
    }
}

extension WirePlaces {
    func accept() throws(ProtocolViolation) {
        try Check.columns(
            index.count,
            [("place", place.count), ("cell", cell.count)],
            of: "index of places"
        )
        for index in index { try Check.positive(index, "index of places") }
        for place in place { try Check.range(place, "place", 0...ProtocolLimits.maxPlace) }
        for cell in cell { try Check.range(cell, "cell", 0...ProtocolLimits.maxPlace) }
    }
}

extension WireSnapshotChunk {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.text(topic, "topic", ProtocolLimits.topicBytes) { topic = $0 }
        try Check.bytes(cursor.count, "cursor", ProtocolLimits.cursorBytes)
        try Check.unixTime(time, "time")
        try rows.accept()
        if hasTotals { try totals.accept() }
        try attention.acceptAttention()
        try Check.bytes(states.count, "states", ProtocolLimits.stateCells)
        try logs.accept()
        if hasHosts { try hosts.accept() }
    }
}

extension WireFound {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.count(tasks.count, "tasks found", ProtocolLimits.foundTasks)
        try tasks.accept()
    }
}

extension WireFoundTask: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task found", foreign: true)
        if hasJob { try Check.task(job, "job of a task found", foreign: true) }
        try Check.text(title, "title", ProtocolLimits.titleBytes) { title = $0 }
        try Check.text(key, "key", ProtocolLimits.shownKeyBytes) { key = $0 }
        if hasSlot { try Check.range(slot, "slot", 1...ProtocolLimits.maxPlace) }
        try Check.count(path.count, "path of a task found", ProtocolLimits.depth)
        for task in path { try Check.task(task, "path of a task found", foreign: true) }
        try Check.columns(path.count, [("place", place.count)], of: "path of a task found")
        for place in place { try Check.range(place, "place", 0...ProtocolLimits.maxPlace) }
    }
}

extension WireCommandResult {
    mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        if hasProcess { try process.accept() }
        try Check.text(text, "text of an answer", ProtocolLimits.answerBytes) { text = $0 }
    }
}
