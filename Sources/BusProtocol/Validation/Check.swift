/// The rules that many fields share, each with the sentence for whoever broke it.
enum Check {
    /// Checks that a text keeps its limit, and that it is one line.
    ///
    /// Every text of every frame passes this check. If a text has control characters, `replace`
    /// gets it with spaces in their place; most texts have none, and cost no more than a look.
    @inline(__always)
    static func text(
        _ text: String,
        _ field: StaticString,
        _ limit: Int,
        replace: (String) -> Void
    ) throws(ProtocolViolation) {
        if text.isPlain(within: limit) { return }
        if let line = try line(of: text, field, limit) { replace(line) }
    }

    /// Checks the texts of a column; `replace` gets the whole column if any of its texts has
    /// changed.
    static func texts(
        _ texts: [String],
        _ field: StaticString,
        _ limit: Int,
        replace: ([String]) -> Void
    ) throws(ProtocolViolation) {
        var lines: [String]?
        for row in texts.indices {
            try text(texts[row], field, limit) { line in
                if lines == nil { lines = texts }
                lines?[row] = line
            }
        }
        if let lines { replace(lines) }
    }

    /// The text with spaces in place of its control characters; `nil` if it has none.
    private static func line(
        of text: String,
        _ field: StaticString,
        _ limit: Int
    ) throws(ProtocolViolation) -> String? {
        guard text.utf8.count <= limit else {
            throw ProtocolViolation(
                .tooLong,
                "\(field) has \(text.utf8.count) bytes of UTF-8; at most \(limit) are allowed: cut"
                    + " it at the end of a character."
            )
        }
        return text.hasControls ? text.oneLine : nil
    }

    static func bytes(
        _ count: Int,
        _ field: StaticString,
        _ limit: Int
    ) throws(ProtocolViolation) {
        guard count > limit else { return }
        throw ProtocolViolation(
            .tooLong,
            "\(field) has \(count) bytes; at most \(limit) are allowed."
        )
    }

    /// Checks an index, request, delivery or sequence, which is 1 or more.
    static func positive(
        _ number: UInt64,
        _ field: StaticString
    ) throws(ProtocolViolation) {
        guard number == 0 else { return }
        throw ProtocolViolation(.outOfRange, "\(field) is 0: number from 1.")
    }

    static func range<Number: Comparable & Sendable>(
        _ number: Number,
        _ field: StaticString,
        _ range: ClosedRange<Number>
    ) throws(ProtocolViolation) {
        guard !range.contains(number) else { return }
        throw ProtocolViolation(
            .outOfRange,
            "\(field) is \(number); send a number from \(range.lowerBound) to"
                + " \(range.upperBound)."
        )
    }

    static func finite(_ number: Double, _ field: StaticString) throws(ProtocolViolation) {
        guard !number.isFinite else { return }
        throw ProtocolViolation(.outOfRange, "\(field) is \(number): send a finite number.")
    }

    /// Checks a point of time in Unix seconds.
    static func unixTime(_ number: Double, _ field: StaticString) throws(ProtocolViolation) {
        try range(number, field, 0...ProtocolLimits.maxUnixTime)
    }

    /// Checks a number of tasks.
    static func tasks(_ number: UInt64, _ field: StaticString) throws(ProtocolViolation) {
        try range(number, field, 0...ProtocolLimits.maxCount)
    }

    /// Checks a sum of share · fraction, in units of 2⁻⁵⁰.
    static func weighted(
        _ weighted: Int128,
        of share: UInt64,
        _ name: String
    ) throws(ProtocolViolation) {
        guard weighted >= 0, weighted <= Int128(share) << 50 else {
            throw ProtocolViolation(
                .outOfRange,
                "\(name) is not between 0 and share times 2^50: a child counts for at most its"
                    + " share."
            )
        }
    }

    /// Checks how many removed indices the folds of a frame name, taken together.
    static func removed(_ folds: [WireFold]) throws(ProtocolViolation) {
        let sum = folds.reduce(0) { $0 + $1.removed.count }
        try count(sum, "removed of the folds", ProtocolLimits.removedIndices)
    }

    /// Checks a length in seconds.
    static func seconds(_ number: Double, _ field: StaticString) throws(ProtocolViolation) {
        guard !number.isFinite || number < 0 else { return }
        throw ProtocolViolation(
            .outOfRange,
            "\(field) is \(number): send a finite number of seconds, 0 or more."
        )
    }

    static func columns(
        _ count: Int,
        _ others: [(StaticString, Int)],
        of index: StaticString
    ) throws(ProtocolViolation) {
        for (field, length) in others where length != count {
            throw ProtocolViolation(
                .malformed,
                "\(field) has \(length) entries and \(index) has \(count): send columns of the"
                    + " same length, entry by entry for the same task."
            )
        }
    }

    static func count(
        _ count: Int,
        _ field: StaticString,
        _ limit: Int
    ) throws(ProtocolViolation) {
        guard count > limit else { return }
        throw ProtocolViolation(
            .tooMany,
            "\(field) has \(count) entries; at most \(limit) are allowed: send the rest in"
                + " another frame or leave it out."
        )
    }

    /// Checks a task that must be named; with `foreign`, session 0 has no meaning and is refused.
    static func task(
        _ task: WireTaskRef,
        isPresent: Bool = true,
        _ field: StaticString,
        foreign: Bool = false
    ) throws(ProtocolViolation) {
        guard isPresent else {
            throw ProtocolViolation(.malformed, "\(field) is missing: name the task.")
        }
        guard task.index != 0 else {
            throw ProtocolViolation(
                .outOfRange,
                "\(field) has index 0: tasks are numbered from 1 within their session."
            )
        }
        guard !foreign || task.session != 0 else {
            throw ProtocolViolation(
                .outOfRange,
                "\(field) has session 0, which only a client may use for its own: name the session."
            )
        }
    }

    static func credential(_ count: Int) throws(ProtocolViolation) {
        guard count != ProtocolLimits.credentialBytes else { return }
        throw ProtocolViolation(
            .badCredential,
            "credential has \(count) bytes and must have \(ProtocolLimits.credentialBytes): send"
                + " the random bytes chosen for the session in every frame."
        )
    }

    static func requestID(_ count: Int) throws(ProtocolViolation) {
        guard count != ProtocolLimits.requestIDBytes else { return }
        throw ProtocolViolation(
            .outOfRange,
            "request_id has \(count) bytes and must have \(ProtocolLimits.requestIDBytes): choose"
                + " random ones for each request and keep them in its repetitions."
        )
    }

    static func amounts(completed: Int64, total: Int64) throws(ProtocolViolation) {
        try range(completed, "completed", 0...Int64.max)
        try range(total, "total", -1...Int64.max)
    }

    static func clock(
        elapsed: UInt64,
        active: UInt64,
        sinceAdvance: UInt64
    ) throws(ProtocolViolation) {
        let limit = 0...ProtocolLimits.maxMilliseconds
        try range(elapsed, "elapsed", limit)
        try range(active, "active", limit)
        try range(sinceAdvance, "since_advance", limit)
    }
}
