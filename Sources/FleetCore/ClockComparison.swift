import BusProtocol

/// How far the clock of another host is ahead of ours, from the times in its beats.
///
/// A beat's time on the way makes the clock look late, and never early: so the highest difference
/// of several beats counts.
struct ClockComparison {
    /// Seconds; 0 if the clocks agree as well as clocks that are set by the network do.
    private(set) var ahead = 0.0

    private var newest: [Double] = []
    private static let beats = 8
    /// Seconds below which a difference counts as none.
    private static let tolerance = 2.0

    /// Takes the time of a beat; returns whether `ahead` has changed.
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
    /// The row with all its Unix times later by so many seconds.
    func shifted(by seconds: Double) -> WireRow {
        guard seconds != 0, hasProgress else { return self }
        var row = self
        // 0 means that something has not happened.
        for time in [\WireRowProgress.begun, \.advanced] where row.progress[keyPath: time] != 0 {
            row.progress[keyPath: time] = max(row.progress[keyPath: time] + seconds, 1)
        }
        if row.progress.hasEnded { row.progress.ended = max(row.progress.ended + seconds, 1) }
        return row
    }
}
