#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WireBrokerFrame {
    func validate() throws(ProtocolViolation) {
        try Check.positive(epoch, "epoch")
        switch body {
        case .refusal(let refusal):
            try Check.text(refusal.sentence, "sentence", ProtocolLimits.sentenceBytes)
        case .welcome(let welcome): try welcome.validate()
        case .endingsJournalled(let journalled):
            try Check.positive(journalled.sequence, "sequence")
        case .syncReached(let reached): try Check.positive(reached.request, "request")
        case .binding(let binding): try binding.validate()
        case .places(let places): try places.validate()
        case .snapshot(let chunk): try chunk.validate()
        case .found(let found): try found.validate()
        case .command(let delivery):
            try Check.positive(delivery.delivery, "delivery")
            for index in delivery.index { try Check.positive(index, "index of a command") }
        case .commandResult(let result): try result.validate()
        case .probe(let answer): try Check.positive(answer.request, "request")
        case .detached(let answer): try answer.validate()
        case .who, .goodbyeAccepted, .keyframeWanted, nil: return
        }
    }
}

extension WireWelcome {
    func validate() throws(ProtocolViolation) {
        try Check.text(version, "version", ProtocolLimits.clientBytes)
        try Check.range(heartbeat, "heartbeat", 1...ProtocolLimits.maxInterval)
        try Check.range(tick, "tick", 1...ProtocolLimits.maxInterval)
        try Check.seconds(uptime, "uptime")
    }
}

extension WireBinding {
    func validate() throws(ProtocolViolation) {
        try Check.positive(index, "index of a binding")
        switch kind {
        case .holder:
            try Check.task(task, isPresent: hasTask, "task of a binding")
            try Check.range(attempt, "attempt of a holder", 1...UInt32.max)
        case .child: try Check.task(task, isPresent: hasTask, "task of a binding")
        case .inert, .unknown, .UNRECOGNIZED: return
        }
    }
}

extension WirePlaces {
    func validate() throws(ProtocolViolation) {
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
    func validate() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.text(topic, "topic", ProtocolLimits.topicBytes)
        try Check.bytes(cursor.count, "cursor", ProtocolLimits.cursorBytes)
        try Check.seconds(time, "time")
        for row in rows { try row.validate() }
        if hasTotals { try totals.validate() }
        try attention.validateAttention()
        try Check.bytes(states.count, "states", ProtocolLimits.stateCells)
        for line in logs { try line.validate() }
    }
}

extension WireFound {
    func validate() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.count(tasks.count, "tasks found", ProtocolLimits.foundTasks)
        for found in tasks {
            try Check.task(found.task, isPresent: found.hasTask, "task found", foreign: true)
            if found.hasJob { try Check.task(found.job, "job of a task found", foreign: true) }
            try Check.text(found.title, "title", ProtocolLimits.titleBytes)
            try Check.text(found.key, "key", ProtocolLimits.shownKeyBytes)
            try found.validateWay()
        }
    }
}

extension WireFoundTask {
    fileprivate func validateWay() throws(ProtocolViolation) {
        if hasSlot { try Check.range(slot, "slot", 1...ProtocolLimits.maxPlace) }
        try Check.count(path.count, "path of a task found", ProtocolLimits.depth)
        for task in path { try Check.task(task, "path of a task found", foreign: true) }
        try Check.columns(path.count, [("place", place.count)], of: "path of a task found")
        for place in place { try Check.range(place, "place", 0...ProtocolLimits.maxPlace) }
    }
}

extension WireCommandResult {
    func validate() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        if hasProcess { try process.validate() }
        try Check.text(text, "text of an answer", ProtocolLimits.answerBytes)
    }
}
