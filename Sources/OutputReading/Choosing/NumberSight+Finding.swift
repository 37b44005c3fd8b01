extension NumberSight {
    private static let most = 4

    /// The counts and percentages of a line from left to right, without those that measure something
    /// else; a line with several percentages is a table.
    static func all(in line: OutputLine) -> [NumberSight] {
        var percentages: [NumberSight] = []
        var end = line.bytes.count
        while percentages.count < most, let sight = PercentAdapter.find(in: line, before: end) {
            if !MetricWords.surround(sight, in: line) { percentages.append(sight) }
            end = sight.place.lowerBound
        }
        if percentages.count > 1 { percentages = [] }
        var counts: [NumberSight] = []
        var start = 0
        while counts.count < most, let sight = CountAdapter.find(in: line, from: start) {
            if !MetricWords.surround(sight, in: line) { counts.append(sight) }
            start = sight.place.upperBound
        }
        return (counts + percentages).sorted { $0.place.lowerBound < $1.place.lowerBound }
    }
}
