/// What is below a part of another broker's job, beside the numbers that every fold has.
///
/// All numbers are absolute.
package struct PartBelow: Hashable, Sendable {
    // Of all tasks below the part.
    package var waiting = 0
    /// Paused and cancelling ones included.
    package var running = 0
    package var lost = 0
    /// Those that have not ended, also below earlier attempts.
    package var live = 0
    /// Those that run and are neither paused nor cancelling, and how many of these are stalled.
    package var advancing = 0
    package var stalled = 0
    /// Those that need attention: that have ended, and that are silent or stalled.
    package var troubles = 0
    package var alarms = 0
    /// Those that run with nothing running below them and have moved, and all of which nothing is done.
    package var activeWorkers = 0
    package var unmovedWorkers = 0
    // Of its children.
    package var children = 0
    package var unfinishedChildren = 0
    package var failedChildren = 0
    package var lostChildren = 0
    /// Those that run and are worth something, and of those of them that have moved the sums of their
    /// shares and of share · fraction, and the shares of those that do not tell how far they are.
    package var runningChildren = 0
    package var runningShare: Int64 = 0
    package var runningWeighted: Int128 = 0
    package var muteShare: Int64 = 0

    package init() {}
}

extension PartBelow {
    init(_ sums: Aggregate) {
        let (below, running) = (sums.below, sums.runningChildren)
        waiting = below.counts.waiting
        self.running = below.counts.running
        lost = below.counts.lost
        live = below.live
        (advancing, stalled) = (below.running, below.stalled)
        (troubles, alarms) = (below.troubles, below.alarms)
        (activeWorkers, unmovedWorkers) = (below.activeWorkers, below.unmovedWorkers)
        (children, unfinishedChildren) = (sums.begun, sums.unfinished)
        (failedChildren, lostChildren) = (sums.failed, sums.lost)
        (runningChildren, runningWeighted) = (running.count, running.weighted)
        runningShare = Int64(clamping: running.share)
        muteShare = Int64(clamping: running.mute)
    }
}
