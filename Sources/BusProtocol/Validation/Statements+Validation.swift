import Essentials

extension WireReport: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.credential(credential.count)
        try Check.positive(sequence, "sequence")
        try acceptColumns()
        for change in states { try change.accept() }
        if !descriptions.isEmpty { descriptions = try descriptions.taken().accepted() }
        if !folds.isEmpty {
            try Check.removed(folds)
            folds = try folds.taken().accepted()
        }
        if !logs.isEmpty { logs = try logs.taken().accepted() }
        guard keyframe == 0, keyframeChunk != 0 || keyframeLast || !folds.isEmpty else { return }
        throw ProtocolViolation(
            .malformed,
            "keyframe_chunk, keyframe_last and folds are for chunks of a keyframe and keyframe is"
                + " 0: number the keyframe from 1; folds that changed go in Endings."
        )
    }

    private mutating func acceptColumns() throws(ProtocolViolation) {
        try Check.columns(
            amountIndex.count,
            [("completed", completed.count), ("total", total.count)],
            of: "amount_index"
        )
        try Check.columns(detailIndex.count, [("detail", detail.count)], of: "detail_index")
        try Check.columns(
            clockIndex.count,
            [
                ("elapsed", elapsed.count), ("active", active.count),
                ("since_advance", sinceAdvance.count),
            ],
            of: "clock_index"
        )
        for index in amountIndex { try Check.positive(index, "amount_index") }
        for (completed, total) in zip(completed, total) {
            try Check.amounts(completed: completed, total: total)
        }
        for index in detailIndex { try Check.positive(index, "detail_index") }
        try Check.texts(detail, "detail", ProtocolLimits.detailBytes) { detail = $0 }
        for index in clockIndex { try Check.positive(index, "clock_index") }
        for row in elapsed.indices {
            try Check.clock(
                elapsed: elapsed[row],
                active: active[row],
                sinceAdvance: sinceAdvance[row]
            )
        }
    }
}

extension WireDescription: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(index, "index of a description")
        if hasParent { try Check.task(parent, "parent") }
        if hasTicket { try Check.task(ticket, "ticket") }
        guard !hasTicket || (!hasParent && !isTicket) else {
            throw ProtocolViolation(
                .malformed,
                "A description with ticket also has parent or is_ticket: the redeemer of a ticket"
                    + " names the ticket only, its issuer said the parent."
            )
        }
        guard !isTicket || hasParent else {
            throw ProtocolViolation(
                .malformed,
                "A description has is_ticket and no parent: a ticket is a child of a task."
            )
        }
        try acceptWords()
        try Check.text(key, "key", ProtocolLimits.keyBytes) { key = $0 }
        try Check.range(begun, "begun of a description", 0...ProtocolLimits.maxUnixTime)
    }
}

extension WireStateChange {
    func accept() throws(ProtocolViolation) {
        try Check.positive(index, "index of a state change")
        switch state {
        case .running, .paused, .UNRECOGNIZED: return
        case .succeeded, .failed, .cancelled:
            throw ProtocolViolation(
                .malformed,
                "A state change in a report says that a task has ended: endings go over the"
                    + " control socket in Endings."
            )
        }
    }
}

extension WireFold: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(parent, isPresent: hasParent, "parent of a fold")
        let counts = 0...ProtocolLimits.maxFoldedCount
        try Check.range(succeeded, "succeeded of a fold", counts)
        try Check.range(failed, "failed of a fold", counts)
        try Check.range(cancelled, "cancelled of a fold", counts)
        if hasBelow { try below.accept() }
        try Check.range(share, "share of a fold", 0...ProtocolLimits.maxFoldedShare)
        try Check.weighted(weighted, of: share, "weighted of a fold")
        try Check.count(sums.count, "sums of a fold", ProtocolLimits.unitSums)
        try sums.accept()
        for index in removed { try Check.positive(index, "removed") }
    }
}

extension WirePartBelow: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        for (field, _) in Self.numbers {
            let count = self[keyPath: field]
            try Check.range(count, "a number of below", 0...ProtocolLimits.maxFoldedCount)
        }
        for share in [runningShare, muteShare] {
            try Check.range(share, "a share of below", 0...ProtocolLimits.maxFoldedShare)
        }
        try Check.weighted(runningWeighted, of: runningShare, "running_weighted")
    }
}

extension WireUnitSum: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(unit, "unit of a sum", ProtocolLimits.unitBytes) { unit = $0 }
        try Check.range(completed, "completed of a sum", 0...Int64.max)
        try Check.range(total, "total of a sum", 0...Int64.max)
    }
}

extension WireLogLine: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task of a log line")
        try Check.text(text, "text of a log line", ProtocolLimits.logBytes) { text = $0 }
        try Check.unixTime(time, "time of a log line")
    }
}

extension WireProcess {
    mutating func accept() throws(ProtocolViolation) {
        try Check.text(host, "host", ProtocolLimits.hostBytes) { host = $0 }
        try Check.range(pid, "pid", 0...Int64(Int32.max))
        try Check.text(command, "command", ProtocolLimits.commandBytes) { command = $0 }
        try Check.text(bootID, "boot_id", ProtocolLimits.machineBytes) { bootID = $0 }
        try Check.text(pidNamespace, "pid_namespace", ProtocolLimits.machineBytes) {
            pidNamespace = $0
        }
    }
}
