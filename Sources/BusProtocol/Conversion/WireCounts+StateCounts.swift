package import TaskTree

extension WireCounts {
    package init(_ counts: StateCounts) {
        self.init()
        waiting = Self.count(counts.waiting)
        running = Self.count(counts.running)
        succeeded = Self.count(counts.succeeded)
        failed = Self.count(counts.failed)
        cancelled = Self.count(counts.cancelled)
        lost = Self.count(counts.lost)
    }

    /// A number of tasks for a frame, limited to what the protocol allows.
    package static func count(_ number: Int) -> UInt64 {
        min(UInt64(clamping: number), ProtocolLimits.maxCount)
    }
}

extension StateCounts {
    package init(_ counts: WireCounts) {
        self.init()
        waiting = Int(clamping: counts.waiting)
        running = Int(clamping: counts.running)
        succeeded = Int(clamping: counts.succeeded)
        failed = Int(clamping: counts.failed)
        cancelled = Int(clamping: counts.cancelled)
        lost = Int(clamping: counts.lost)
    }
}
