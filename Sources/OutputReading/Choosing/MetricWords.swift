/// Words of what is measured and not worked off: a number beside one is no progress, however it rises.
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
    static func surround(_ sight: NumberSight, in line: OutputLine) -> Bool {
        let bytes = line.bytes
        var end = sight.place.lowerBound
        // Words begin with a letter: `1.2G` is none.
        while end > 0 {
            while end > 0, !isPartOfWord(bytes[end - 1]) { end -= 1 }
            var start = end
            while start > 0, isPartOfWord(bytes[start - 1]) { start -= 1 }
            guard start < end else { break }
            if Byte.isLetter(bytes[start]) {
                if isMetric(bytes[start..<end]) { return true }
                break
            }
            end = start
        }
        // Behind it: only what follows at once, `12% full`, `12% (cpu)`.
        var start = sight.place.upperBound
        while start < bytes.count, bytes[start] == Byte.space || bytes[start] == UInt8(ascii: "(") {
            start += 1
        }
        guard start < bytes.count, start > sight.place.upperBound else { return false }
        if bytes[start] == UInt8(ascii: "/") { return !sight.isCount }
        end = start
        while end < bytes.count, isPartOfWord(bytes[end]) { end += 1 }
        return isMetric(bytes[start..<end]) || bytes[start...].starts(with: Array("of all ".utf8))
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
