/// Elements ordered by age: the oldest is found at once, and any element can be removed.
///
/// Ages mostly rise, so a new entry mostly goes to the end of `order`. The entry of an element that
/// was removed, or has another age by now, is skipped later.
package struct AgeOrder<Element: Hashable & Sendable, Age: Comparable & Sendable>: Sendable {
    @usableFromInline var ages: [Element: Age] = [:]
    /// By age; the entries of elements that were removed or have another age by now are stale.
    @usableFromInline var order: [(element: Element, age: Age)] = []
    @usableFromInline var first = 0

    package init() {}

    package var count: Int { ages.count }
    package var isEmpty: Bool { ages.isEmpty }

    /// All of them, in no order.
    package var elements: some Collection<Element> { ages.keys }

    package subscript(element: Element) -> Age? { ages[element] }

    /// Puts an element in, or gives it another age.
    @inlinable package mutating func put(_ element: Element, age: Age) {
        ages[element] = age
        order.insert((element, age), at: place(of: age))
        // Stale entries are removed seldom, so that an addition stays cheap on average.
        guard order.count > 2 * ages.count + 64 else { return }
        order.removeAll { ages[$0.element] != $0.age }
        first = 0
    }

    /// Takes an element out; returns its age if it was there.
    @discardableResult
    package mutating func remove(_ element: Element) -> Age? { ages.removeValue(forKey: element) }

    /// The age of the oldest; `nil` if there is none.
    package var oldestAge: Age? {
        order[first...].first { ages[$0.element] == $0.age }?.age
    }

    /// Takes out the oldest, if it passes; `nil` if it does not or there is none.
    @inlinable package mutating func takeOldest(
        where passes: (Age) -> Bool = { _ in true }
    ) -> (element: Element, age: Age)? {
        while first < order.count {
            let oldest = order[first]
            guard ages[oldest.element] == oldest.age else {
                first += 1
                continue
            }
            guard passes(oldest.age) else { return nil }
            first += 1
            ages[oldest.element] = nil
            return oldest
        }
        order = []
        first = 0
        return nil
    }

    /// The place for an age in `order`: behind all entries that are as old or older.
    @inlinable func place(of age: Age) -> Int {
        guard let last = order.last, first < order.count, age < last.age else {
            return order.count
        }
        var (low, high) = (first, order.count)
        while low < high {
            let middle = (low + high) / 2
            if age < order[middle].age { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
