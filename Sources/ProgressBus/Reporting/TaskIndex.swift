/// The index of a task in six bytes; 0 is nobody.
///
/// Enough for a session that begins two million tasks a second for four years.
struct TaskIndex {
    static let greatest: UInt64 = 1 << 48 - 1

    // Three parts, as six bytes of one number would be kept in eight.
    private var low: UInt16 = 0
    private var middle: UInt16 = 0
    private var high: UInt16 = 0

    /// Up to `greatest`.
    var value: UInt64 {
        get { UInt64(high) << 32 | UInt64(middle) << 16 | UInt64(low) }
        set {
            low = UInt16(truncatingIfNeeded: newValue)
            middle = UInt16(truncatingIfNeeded: newValue >> 16)
            high = UInt16(truncatingIfNeeded: newValue >> 32)
        }
    }
}
