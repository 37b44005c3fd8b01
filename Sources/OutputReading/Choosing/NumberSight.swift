/// A number in a line that may be progress, and where it stands there.
struct NumberSight {
    var place: Range<Int>
    var completed: Int64
    var total: Int64
    var isCount: Bool

    var sample: ProgressSample { isCount ? .amount(completed, of: total) : .percent(completed) }

    var fraction: Double { Double(completed) / Double(total) }

    /// Whether the number is near its beginning, as progress is at first and 81 % of a disk is not.
    var isNearBeginning: Bool { isCount && completed <= 2 || fraction < 0.2 }

    /// Identifies the place of the number across lines: by the words before it, or for a number in
    /// brackets of its own by the bracket and by how many numbers stand before it in the line.
    func key(in line: OutputLine, number: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(isCount)
        if let bracket = bracket(in: line) {
            hasher.combine(bracket)
            hasher.combine(number)
        } else {
            for byte in line.bytes[..<place.lowerBound]
            where Byte.isLetter(byte) || byte == UInt8(ascii: ":") {
                hasher.combine(byte)
            }
        }
        return hasher.finalize()
    }

    /// The name of the number for people: the words before it; empty if there are none.
    func label(in line: OutputLine) -> String {
        let words = line.bytes[..<place.lowerBound]
        guard let first = words.firstIndex(where: Self.isWord),
            let last = words.lastIndex(where: Self.isWord),
            words[first...last].contains(where: Byte.isLetter), last - first < 60
        else { return "" }
        return String(decoding: words[first...last], as: UTF8.self)
    }

    private func bracket(in line: OutputLine) -> UInt8? {
        var before = place.lowerBound
        while before > 0, line.bytes[before - 1] == Byte.space { before -= 1 }
        guard before > 0, place.upperBound < line.bytes.count else { return nil }
        switch (line.bytes[before - 1], line.bytes[place.upperBound]) {
        case (UInt8(ascii: "["), UInt8(ascii: "]")): return UInt8(ascii: "[")
        case (UInt8(ascii: "("), UInt8(ascii: ")")): return UInt8(ascii: "(")
        default: return nil
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        Byte.isDigit(byte) || Byte.isLetter(byte) || byte >= 0x80 && byte != 0xe2
    }
}

extension NumberSight {
    private static let most = 4

    /// The counts and percentages of a line from left to right, without metrics; several
    /// percentages in one line are a table and are left out.
    static func all(in line: OutputLine) -> [NumberSight] {
        var percentages: [NumberSight] = []
        var end = line.bytes.count
        while percentages.count < most, let sight = PercentAdapter.find(in: line, before: end) {
            if !sight.isOfMetric(in: line) { percentages.append(sight) }
            end = sight.place.lowerBound
        }
        if percentages.count > 1 { percentages = [] }
        var counts: [NumberSight] = []
        var start = 0
        while counts.count < most, let sight = CountAdapter.find(in: line, from: start) {
            if !sight.isOfMetric(in: line) { counts.append(sight) }
            start = sight.place.upperBound
        }
        return (counts + percentages).sorted { $0.place.lowerBound < $1.place.lowerBound }
    }

    private func isOfMetric(in line: OutputLine) -> Bool {
        MetricWords.surround(place, isCount: isCount, in: line)
    }
}
