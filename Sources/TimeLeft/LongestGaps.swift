/// The two longest gaps between advances.
///
/// A silence that has no equal happened once: its time beyond twice the second longest gap is not
/// expected again.
struct LongestGaps: Sendable {
    private var longest: Float = 0
    private var second: Float = 0

    init(usual: Float = 0) {
        longest = 2 * usual
        second = longest
    }

    private var excess: Float { max(0, longest - 2 * second) }

    /// How many seconds of this gap count, with those of an earlier gap that now has an equal.
    mutating func counted(_ gap: Float, isEarly: Bool) -> Float {
        let before = excess
        if isEarly {
            // Too little is known to call a gap unequalled.
            longest = max(longest, gap)
            second = longest
        } else if gap > longest {
            (longest, second) = (gap, longest)
        } else if gap > second {
            second = gap
        }
        return max(0.001, gap - excess + before)
    }
}
