import BusProtocol

/// How far the clock of another host is ahead of ours, from what its beats say of the time.
///
/// What is on the way makes a clock look late, and never early: so the highest of some beats counts.
struct ClockComparison {
    /// Seconds; 0 where the clocks agree as well as those of hosts do that set them by the network.
    private(set) var ahead = 0.0

    private var newest: [Double] = []
    private static let beats = 8
    /// Seconds that are no difference.
    private static let tolerance = 2.0

    /// Takes a beat; whether `ahead` is another now.
    mutating func compare(_ theirs: Double, with ours: Double) -> Bool {
        newest.append(theirs - ours)
        if newest.count > Self.beats { newest.removeFirst() }
        let highest = newest.max() ?? 0
        let former = ahead
        if abs(highest - ahead) >= Self.tolerance { ahead = highest }
        if abs(highest) < Self.tolerance { ahead = 0 }
        return ahead != former
    }
}

extension WireRow {
    /// With all its Unix times later by so many seconds.
    func shifted(by seconds: Double) -> WireRow {
        guard seconds != 0, hasProgress else { return self }
        var row = self
        // 0 is that something has not happened.
        for time in [\WireRowProgress.begun, \.advanced] where row.progress[keyPath: time] != 0 {
            row.progress[keyPath: time] = max(row.progress[keyPath: time] + seconds, 1)
        }
        if row.progress.hasEnded { row.progress.ended = max(row.progress.ended + seconds, 1) }
        return row
    }
}
