/// A set of rising numbers kept as ranges: cheap while they come nearly in order.
///
/// Unlike the standard library's `RangeSet` it can hold the greatest number, and its size is
/// bounded: the numbers come from a peer.
package struct IndexRanges: Sendable {
    /// Above this many ranges the lowest numbers are forgotten.
    static let limit = 1_024

    /// Closed ranges, in order, none touching the next.
    private(set) var ranges: [ClosedRange<UInt64>] = []

    package init() {}

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ number: UInt64) -> Bool {
        let place = firstRange(endingAtOrAfter: number)
        return place < ranges.count && ranges[place].contains(number)
    }

    package mutating func insert(_ number: UInt64) {
        let place = firstRange(endingAtOrAfter: number)
        if place < ranges.count, ranges[place].contains(number) { return }
        let joinsLeft = place > 0 && ranges[place - 1].upperBound == number &- 1
        let joinsRight = place < ranges.count && ranges[place].lowerBound == number &+ 1
        switch (joinsLeft, joinsRight) {
        case (true, true):
            ranges[place - 1] = ranges[place - 1].lowerBound...ranges[place].upperBound
            ranges.remove(at: place)
        case (true, false):
            ranges[place - 1] = ranges[place - 1].lowerBound...number
        case (false, true):
            ranges[place] = number...ranges[place].upperBound
        case (false, false):
            ranges.insert(number...number, at: place)
            if ranges.count > Self.limit { ranges.removeFirst(Self.limit / 2) }
        }
    }

    package mutating func insert(contentsOf other: IndexRanges) {
        var union: [ClosedRange<UInt64>] = []
        for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            // The range before overlaps or touches this one; nothing comes after the greatest
            // number.
            if let last = union.last,
                last.upperBound == .max || last.upperBound + 1 >= range.lowerBound
            {
                union[union.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
        ranges = union.suffix(Self.limit)
    }

    /// By bisection: where the number is, or would be put.
    private func firstRange(endingAtOrAfter number: UInt64) -> Int {
        if let last = ranges.last, last.upperBound < number { return ranges.count }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
