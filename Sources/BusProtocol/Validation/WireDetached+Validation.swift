#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WireDetachedRequest {
    func validate() throws(ProtocolViolation) {
        try Check.requestID(requestID.count)
        switch operation {
        case .begin(let begin): try begin.validate()
        case .update(let update): try update.validate()
        case .advance(let advance):
            try Check.task(advance.task, isPresent: advance.hasTask, "task", foreign: true)
            try Check.range(advance.by, "by", 1...Int64.max)
        case .end(let end): try end.validate()
        case nil: return
        }
    }
}

extension WireDetachedBegin {
    func validate() throws(ProtocolViolation) {
        try Check.text(title, "title", ProtocolLimits.titleBytes)
        try Check.text(parent, "parent", ProtocolLimits.findBytes)
        if hasShare { try Check.range(share, "share", 0...ProtocolLimits.maxShare) }
        try Check.amounts(completed: 0, total: hasTotal ? total : -1)
        try Check.text(unit, "unit", ProtocolLimits.unitBytes)
        try Check.text(key, "key", ProtocolLimits.keyBytes)
        try Check.text(detail, "detail", ProtocolLimits.detailBytes)
        if hasExpectEvery {
            try Check.range(expectEvery, "expect_every", 1...ProtocolLimits.maxExpectedGap)
        }
    }
}

extension WireDetachedUpdate {
    func validate() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task", foreign: true)
        try Check.amounts(
            completed: hasCompleted ? completed : 0,
            total: hasTotal ? total : -1
        )
        try Check.text(detail, "detail", ProtocolLimits.detailBytes)
        try Check.text(title, "title", ProtocolLimits.titleBytes)
    }
}

extension WireDetachedEnd {
    func validate() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task", foreign: true)
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes)
        switch state {
        case .succeeded, .failed, .cancelled: return
        case .running, .paused, .UNRECOGNIZED:
            throw ProtocolViolation(
                .malformed,
                "The state of an end is none: say SUCCEEDED, FAILED or CANCELLED."
            )
        }
    }
}

extension WireDetachedAnswer {
    func validate() throws(ProtocolViolation) {
        try Check.requestID(requestID.count)
        if hasTask { try Check.task(task, "task", foreign: true) }
        try Check.text(sentence, "sentence", ProtocolLimits.sentenceBytes)
    }
}
