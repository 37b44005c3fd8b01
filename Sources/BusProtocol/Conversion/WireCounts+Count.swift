extension WireCounts {
    /// A number of tasks as frames have it, held within its limit.
    package static func count(_ number: Int) -> UInt64 {
        min(UInt64(clamping: number), ProtocolLimits.maxCount)
    }
}
