/// Fractions as whole multiples of 2⁻⁵⁰, so that their sums are exact in any order.
package enum FixedPoint {
    /// Binary digits after the point.
    package static let bits = 50
    /// The fraction 1.
    package static let one: Int64 = 1 << 50
    /// The greatest share a task may have in its parent.
    package static let maxShare: Int64 = 1 << 48

    /// A quotient rounded to the nearest unit, halves up, held between 0 and 1.
    ///
    /// The numerator is in units of 2⁻⁵⁰, the denominator a plain number. A denominator that is
    /// not positive gives 0.
    package static func capped(_ numerator: Int128, over denominator: Int128) -> Int64 {
        guard denominator > 0, numerator > 0 else { return 0 }
        if let narrow = UInt64(exactly: denominator) { return capped(numerator, over: narrow) }
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        guard quotient < Int128(one) else { return one }
        return Int64(quotient) + (remainder >= denominator - remainder ? 1 : 0)
    }

    /// By one instruction of the processor; dividing 128 bits by 128 takes ten times as long.
    private static func capped(_ numerator: Int128, over denominator: UInt64) -> Int64 {
        let high = UInt64(truncatingIfNeeded: numerator >> 64)
        guard high < denominator else { return one }
        let (quotient, remainder) = denominator.dividingFullWidth(
            (high, UInt64(truncatingIfNeeded: numerator))
        )
        guard quotient < UInt64(one) else { return one }
        return Int64(quotient) + (remainder >= denominator - remainder ? 1 : 0)
    }

    /// The same quotient as a floating-point number, not held below 1.
    package static func double(_ numerator: Int128, over denominator: Int128) -> Double {
        guard denominator > 0 else { return 0 }
        return double(numerator) / double(denominator) / Double(one)
    }

    /// The nearest floating-point number.
    ///
    /// Nearly all numbers fit in 64 bits, whose conversion is ten times as fast and gives the same.
    package static func double(_ number: Int128) -> Double {
        let low = Int64(truncatingIfNeeded: number)
        return Int128(low) == number ? Double(low) : Double(number)
    }

    /// The fraction of a task without children, held between 0 and 1.
    package static func leaf(_ amounts: TaskAmounts, succeeded: Bool) -> Int64 {
        if succeeded { return one }
        guard let total = amounts.total else { return 0 }
        guard amounts.completed < total else { return one }
        return capped(Int128(amounts.completed) << bits, over: Int128(total))
    }

    /// A share as sums take it: never negative and never above `maxShare`.
    package static func share(_ share: Int64) -> Int64 {
        min(max(share, 0), maxShare)
    }
}
