/// A point on somebody's monotonic clock; given to the pure parts as an argument.
// All comparisons are inlinable: called from other modules through the protocol, one costs as much
// as the work that it decides about.
package struct Moment: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary beginning.
    package var nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    @inlinable
    package static func == (left: Moment, right: Moment) -> Bool {
        left.nanoseconds == right.nanoseconds
    }

    @inlinable
    package static func < (left: Moment, right: Moment) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    @inlinable
    package static func <= (left: Moment, right: Moment) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }

    @inlinable
    package static func > (left: Moment, right: Moment) -> Bool {
        left.nanoseconds > right.nanoseconds
    }

    @inlinable
    package static func >= (left: Moment, right: Moment) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }

    /// Seconds from another moment to this one; negative if this one is earlier.
    @inlinable
    package func seconds(since other: Moment) -> Double {
        Double(nanoseconds &- other.nanoseconds) / 1e9
    }

    /// Milliseconds from another moment to this one, for a wait: 0 if this one is earlier, an hour
    /// at most.
    ///
    /// Rounded up: a wait that ends too early would be followed by many of length 0.
    package func milliseconds(since other: Moment) -> Int {
        guard self > other else { return 0 }
        let longest: Int64 = 3_600_000_000_000
        let (left, isTooFar) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return Int(((isTooFar ? longest : min(left, longest)) + 999_999) / 1_000_000)
    }

    /// The moment this many seconds later.
    @inlinable
    package func advanced(bySeconds seconds: Double) -> Moment {
        Moment(nanoseconds: nanoseconds &+ Int64(seconds * 1e9))
    }
}
