/// The number of a place in a `Pool`; 32 bits keep a million tasks small.
@usableFromInline package typealias PoolNumber = Int32

/// The number that stands for no place.
let noNumber: PoolNumber = -1

/// Values at stable places that are used again after removal.
///
/// The type and its access are inlinable: otherwise other modules would call the unspecialized
/// code, which took a tenth of a busy broker's time.
@usableFromInline
package struct Pool<Element: Sendable>: Sendable {
    @usableFromInline var elements = BlockArray<Element>()
    @usableFromInline var free: [PoolNumber] = []

    @inlinable package init() {}

    /// How many places exist, freed ones included.
    package var capacity: Int { elements.count }
    /// How many places are in use.
    package var count: Int { elements.count - free.count }

    @inlinable package subscript(number: PoolNumber) -> Element {
        // Not `_read`: that would copy the whole element to read one field of it.
        @inline(__always) get { elements[Int(number)] }
        @inline(__always) _modify { yield &elements[Int(number)] }
    }

    /// Stores the value at a free place.
    @inlinable package mutating func insert(_ element: Element) -> PoolNumber {
        if let number = free.popLast() {
            elements[Int(number)] = element
            return number
        }
        elements.append(element)
        return PoolNumber(elements.count - 1)
    }

    /// Frees a place, leaving an empty value there.
    @inlinable package mutating func remove(_ number: PoolNumber, leaving empty: Element) {
        elements[Int(number)] = empty
        free.append(number)
    }
}
