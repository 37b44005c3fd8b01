#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WireUpdate {
    func validate() throws(ProtocolViolation) {
        try Check.positive(epoch, "epoch")
        try Check.seconds(time, "time")
        for row in rows { try row.validate() }
        for removed in removed {
            try Check.task(removed.task, isPresent: removed.hasTask, "task removed", foreign: true)
            try Check.text(removed.reason, "reason", ProtocolLimits.reasonBytes)
        }
        if hasTotals { try totals.validate() }
        try attention.validateAttention()
        try Check.bytes(states.count, "states", ProtocolLimits.stateCells)
        for line in logs { try line.validate() }
    }
}

extension [WireTaskRef] {
    func validateAttention() throws(ProtocolViolation) {
        try Check.count(count, "attention", ProtocolLimits.attentionItems)
        for task in self { try Check.task(task, "attention", foreign: true) }
    }
}

extension WireRow {
    func validate() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task of a row", foreign: true)
        if hasDescription_p { try description_p.validate() }
        if hasProgress { try progress.validate() }
    }
}

extension WireRowDescription {
    func validate() throws(ProtocolViolation) {
        if hasParent { try Check.task(parent, "parent of a row", foreign: true) }
        if hasJob { try Check.task(job, "job of a row", foreign: true) }
        try Check.text(key, "key", ProtocolLimits.shownKeyBytes)
        try validateWords()
        if hasSlot { try Check.range(slot, "slot", 1...ProtocolLimits.maxPlace) }
        try Check.range(depth, "depth", 0...UInt32(ProtocolLimits.depth))
        if hasProcess { try process.validate() }
    }
}

extension WireRowProgress {
    func validate() throws(ProtocolViolation) {
        try Check.seconds(fraction, "fraction")
        try Check.range(displayFraction, "display_fraction", 0...1)
        try Check.range(completed, "completed", 0...Int64.max)
        if hasTotal { try Check.range(total, "total", 0...Int64.max) }
        try Check.range(totalBefore, "total_before", 0...Int64.max)
        if hasRate { try Check.finite(rate, "rate") }
        if hasSecondsLeft { try Check.seconds(secondsLeft, "seconds_left") }
        try Check.seconds(begun, "begun")
        if hasEnded { try Check.seconds(ended, "ended") }
        try Check.seconds(active, "active")
        try Check.seconds(advanced, "advanced")
        try Check.text(detail, "detail", ProtocolLimits.detailBytes)
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes)
        try Check.text(note, "note", ProtocolLimits.noteBytes)
        try Check.count(sums.count, "sums of a row", ProtocolLimits.unitSums)
        for sum in sums { try sum.validate() }
    }
}

extension WireTotals {
    func validate() throws(ProtocolViolation) {
        try Check.text(version, "version", ProtocolLimits.clientBytes)
        try Check.seconds(uptime, "uptime")
    }
}
