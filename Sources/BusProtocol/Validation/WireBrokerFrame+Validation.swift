import Essentials

extension WireBrokerFrame: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(epoch, "epoch")
        if !nextKey.isEmpty { try Check.publicKey(nextKey) }
        guard let body else { return }
        // Taken out: the first change of a list that the frame has too would copy the list.
        self.body = nil
        self.body = try (consume body).accepted()
    }
}

extension WireBrokerFrame.OneOf_Body {
    fileprivate consuming func accepted() throws(ProtocolViolation) -> Self {
        switch consume self {
        case .refusal(let refusal): return .refusal(try refusal.accepted())
        case .welcome(let welcome): return .welcome(try welcome.accepted())
        case .endingsJournalled(let journalled):
            try Check.positive(journalled.sequence, "sequence")
            return .endingsJournalled(journalled)
        case .syncReached(let reached):
            try Check.positive(reached.request, "request")
            return .syncReached(reached)
        case .binding(let binding): return .binding(try binding.accepted())
        case .places(let places): return .places(try places.accepted())
        case .snapshot(let chunk): return .snapshot(try chunk.accepted())
        case .found(let found): return .found(try found.accepted())
        case .command(let delivery):
            try Check.positive(delivery.delivery, "delivery")
            for index in delivery.index { try Check.positive(index, "index of a command") }
            return .command(delivery)
        case .commandResult(let result): return .commandResult(try result.accepted())
        case .probe(let answer): return .probe(try answer.accepted())
        case .detached(let answer): return .detached(try answer.accepted())
        case .access(let answer): return .access(try answer.accepted())
        case .fleetQuestion(let question): return .fleetQuestion(try question.accepted())
        case .fleetSession(let said): return .fleetSession(try said.accepted())
        case .who(let who): return .who(who)
        case .goodbyeAccepted(let accepted): return .goodbyeAccepted(accepted)
        }
    }
}

extension WireRefusal: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(sentence, "sentence", ProtocolLimits.sentenceBytes) { sentence = $0 }
    }
}

extension WireWelcome: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(version, "version", ProtocolLimits.clientBytes) { version = $0 }
        try Check.range(heartbeat, "heartbeat", 1...ProtocolLimits.maxInterval)
        try Check.range(tick, "tick", 1...ProtocolLimits.maxInterval)
        try Check.seconds(uptime, "uptime")
    }
}

extension WireProbeAnswer: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.count(hosts.count, "hosts", ProtocolLimits.hosts)
        for index in hosts.indices {
            let name = hosts[index].name
            try Check.text(name, "host", ProtocolLimits.hostBytes) { hosts[index].name = $0 }
            try Check.unixTime(hosts[index].unheard, "unheard")
        }
        try Check.tasks(otherHosts, "other_hosts")
        try Check.text(trouble, "trouble", ProtocolLimits.sentenceBytes) { trouble = $0 }
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

extension WirePlaces: CheckedMessage {
    package func accept() throws(ProtocolViolation) {
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

extension WireSnapshotChunk: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
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

extension WireFound: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        try Check.count(tasks.count, "tasks found", ProtocolLimits.foundTasks)
        try tasks.accept()
        if hasSearched { try searched.accept() }
    }
}

extension WireSearched: CheckedMessage {
    package func accept() throws(ProtocolViolation) {
        try Check.tasks(hits, "hits")
        try Check.tasks(looked, "looked")
        if hasReached { try Check.task(reached, "task reached", foreign: true) }
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

extension WireCommandResult: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(request, "request")
        if hasProcess { try process.accept() }
        try Check.text(text, "text of an answer", ProtocolLimits.answerBytes) { text = $0 }
    }
}
