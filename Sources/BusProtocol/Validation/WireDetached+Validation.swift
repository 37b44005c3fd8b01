import Essentials

extension WireDetachedRequest: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.requestID(requestID.count)
        switch operation {
        case .begin(let begin): operation = .begin(try begin.accepted())
        case .update(let update): operation = .update(try update.accepted())
        case .advance(let advance):
            try Check.task(advance.task, isPresent: advance.hasTask, "task", foreign: true)
            try Check.range(advance.by, "by", 1...Int64.max)
        case .end(let end): operation = .end(try end.accepted())
        case nil: return
        }
    }
}

extension WireDetachedBegin: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.text(title, "title", ProtocolLimits.titleBytes) { title = $0 }
        try Check.text(parent, "parent", ProtocolLimits.findBytes) { parent = $0 }
        if hasShare { try Check.range(share, "share", 0...ProtocolLimits.maxShare) }
        try Check.amounts(completed: 0, total: hasTotal ? total : -1)
        try Check.text(unit, "unit", ProtocolLimits.unitBytes) { unit = $0 }
        try Check.text(key, "key", ProtocolLimits.keyBytes) { key = $0 }
        try Check.text(detail, "detail", ProtocolLimits.detailBytes) { detail = $0 }
        if hasExpectEvery {
            try Check.range(expectEvery, "expect_every", 1...ProtocolLimits.maxExpectedGap)
        }
    }
}

extension WireDetachedUpdate: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task", foreign: true)
        try Check.amounts(
            completed: hasCompleted ? completed : 0,
            total: hasTotal ? total : -1
        )
        try Check.text(detail, "detail", ProtocolLimits.detailBytes) { detail = $0 }
        try Check.text(title, "title", ProtocolLimits.titleBytes) { title = $0 }
    }
}

extension WireDetachedEnd: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.task(task, isPresent: hasTask, "task", foreign: true)
        try Check.text(reason, "reason", ProtocolLimits.reasonBytes) { reason = $0 }
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

extension WireDetachedAnswer: CheckedMessage {
    package mutating func accept() throws(ProtocolViolation) {
        try Check.requestID(requestID.count)
        if hasTask { try Check.task(task, "task", foreign: true) }
        try Check.text(sentence, "sentence", ProtocolLimits.sentenceBytes) { sentence = $0 }
    }
}
