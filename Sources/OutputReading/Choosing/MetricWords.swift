/// Words for measured quantities: a number beside one is no progress, however it rises.
enum MetricWords {
    private static let words: Set<String> = [
        "acc", "accuracy", "auc", "precision", "recall", "loss", "score", "confidence",
        "similarity",
        "cpu", "gpu", "mem", "memory", "ram", "vram", "swap", "heap", "disk", "buf", "buffer",
        "buffers", "cache", "cached", "dirty", "free", "used", "use", "usage", "avail", "available",
        "idle", "busy", "load", "util", "utilization", "us", "sy", "ni", "wa", "iowait", "steal",
        "full", "battery", "charging", "charge", "discharging", "fan", "humidity", "volume",
        "brightness", "quality", "signal", "jitter", "packet", "hit", "hits", "miss", "misses",
        "rate", "ratio", "error", "errors", "err", "failed", "failures", "warnings", "problems",
        "level", "coverage", "covered", "threshold", "quota", "limit",
        "deflated", "stored", "saved", "replaced", "smaller", "decrease", "compression",
        "reduction",
        "faster", "slower", "overhead", "discount", "sale", "price", "tax", "interest", "cotton",
        "attempt", "attempts", "retry", "retries", "try", "tries", "replicas", "replica", "ready",
        "connections", "threads", "slots", "default",
    ]
    private static let longest = 12

    /// Whether the nearest word before a number or the one behind it is one of these, or a path
    /// follows, as in the table of a disk's use.
    static func surround(_ place: Range<Int>, isCount: Bool, in line: OutputLine) -> Bool {
        word(before: place.lowerBound, in: line.bytes).map(isMetric) == true
            || isMetric(line.bytes[place.upperBound...], behindCount: isCount)
    }

    /// The nearest word before a place; words begin with a letter, so that `1.2G` is none.
    private static func word(before place: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var end = place
        while let last = bytes[..<end].lastIndex(where: isPartOfWord) {
            let start = bytes[..<last].lastIndex { !isPartOfWord($0) }.map { $0 + 1 } ?? 0
            if Byte.isLetter(bytes[start]) { return bytes[start...last] }
            end = start
        }
        return nil
    }

    /// Whether a metric follows at once: `12% full`, `12% (cpu)`, `[2/5] attempt`.
    private static func isMetric(_ rest: ArraySlice<UInt8>, behindCount isCount: Bool) -> Bool {
        guard let start = rest.firstIndex(where: { !Byte.isAny(of: " ()]", $0) }),
            start > rest.startIndex
        else { return false }
        if rest[start] == UInt8(ascii: "/") { return !isCount }
        let word = rest[start...].prefix(while: isPartOfWord)
        if isMetric(word) {
            // In `[3/10] acc: 90%` the word belongs to the next number.
            let next = rest[word.endIndex...].first { $0 != Byte.space && $0 != UInt8(ascii: ":") }
            return next.map(Byte.isDigit) != true
        }
        return rest[start...].starts(with: Array("of all ".utf8))
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        Byte.isLetter(byte) || Byte.isDigit(byte)
    }

    private static func isMetric(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count <= longest else { return false }
        return words.contains(
            String(decoding: word.map { Byte.isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        )
    }
}

/// Words before a count that say that it counts steps, one after the other.
enum StepWords {
    private static let words = [
        "epoch", "pass", "round", "phase", "stage", "iteration", "step", "part", "file", "fold",
    ]

    /// Whether a label ends with one: `Epoch`, `Training epoch`.
    static func end(_ label: String) -> Bool {
        let last = label.split(separator: " ").last?.lowercased() ?? ""
        return words.contains(last)
    }
}
