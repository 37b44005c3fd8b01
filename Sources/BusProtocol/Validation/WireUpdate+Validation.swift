import Essentials

extension WireUpdate: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.positive(epoch, "epoch")
        try Check.unixTime(time, "time")
        try rows.accept()
        try removed.accept()
        if hasTotals { try totals.accept() }
        try attention.acceptAttention()
        try Check.bytes(states.count, "states", ProtocolLimits.stateCells)
        try logs.accept()
        if hasHosts { try hosts.accept() }
    }
}

extension WireHosts {
    mutating func accept() throws(ProtocolViolation) {
        try Check.count(hosts.count, "hosts", ProtocolLimits.hosts)
        for index in hosts.indices {
            let name = hosts[index].host
            try Check.text(name, "host", ProtocolLimits.hostBytes) { hosts[index].host = $0 }
            try hosts[index].counts.accept()
        }
        try others.accept()
        try Check.tasks(otherHosts, "other_hosts")
    }
}

extension [WireTaskRef] {
    func acceptAttention() throws(ProtocolViolation) {
        try Check.count(count, "attention", ProtocolLimits.attentionItems)
        for task in self { try Check.task(task, "attention", foreign: true) }
    }
}

extension WireRemoved: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task removed", foreign: true)
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes) { reason = $0 }
    }
}

extension WireRow: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task of a row", foreign: true)
        if hasDescription_p { try description_p.accept() }
        if hasProgress { try progress.accept() }
    }
}

extension WireRowDescription {
    mutating func accept() throws(ProtocolViolation) {
        if hasParent { try Check.task(parent, "parent of a row", foreign: true) }
        if hasJob { try Check.task(job, "job of a row", foreign: true) }
        try Check.text(key, "key", ProtocolLimits.shownKeyBytes) { key = $0 }
        try acceptWords()
        if hasSlot { try Check.range(slot, "slot", 1...ProtocolLimits.maxPlace) }
        try Check.range(depth, "depth", 0...UInt32(ProtocolLimits.depth))
        if hasProcess { try process.accept() }
    }
}

extension WireRowProgress {
    mutating func accept() throws(ProtocolViolation) {
        try Check.seconds(fraction, "fraction")
        try Check.range(displayFraction, "display_fraction", 0...1)
        try Check.range(completed, "completed", 0...Int64.max)
        if hasTotal { try Check.range(total, "total", 0...Int64.max) }
        try Check.range(totalBefore, "total_before", 0...Int64.max)
        if hasRate { try Check.finite(rate, "rate") }
        if hasSecondsLeft { try Check.seconds(secondsLeft, "seconds_left") }
        try Check.unixTime(begun, "begun")
        if hasEnded { try Check.unixTime(ended, "ended") }
        try Check.seconds(active, "active")
        try Check.unixTime(advanced, "advanced")
        try Check.text(detail, "detail", ProtocolLimits.detailBytes) { detail = $0 }
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes) { reason = $0 }
        try Check.text(note, "note", ProtocolLimits.noteBytes) { note = $0 }
        try counts.accept()
        try Check.tasks(attention, "attention of a row")
        try Check.tasks(childrenLeftOut, "children_left_out")
        try Check.count(sums.count, "sums of a row", ProtocolLimits.unitSums)
        if !sums.isEmpty { sums = try sums.taken().accepted() }
    }
}

extension WireCounts {
    func accept() throws(ProtocolViolation) {
        try Check.tasks(waiting, "waiting")
        try Check.tasks(running, "running")
        try Check.tasks(succeeded, "succeeded")
        try Check.tasks(failed, "failed")
        try Check.tasks(cancelled, "cancelled")
        try Check.tasks(lost, "lost")
    }
}

extension WireTotals {
    mutating func accept() throws(ProtocolViolation) {
        try Check.text(version, "version", ProtocolLimits.clientBytes) { version = $0 }
        try Check.seconds(uptime, "uptime")
        try jobs.accept()
        try tasks.accept()
        try Check.tasks(needingAttention, "needing_attention")
    }
}
