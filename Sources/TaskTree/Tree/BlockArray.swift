/// A list that grows without moving what it has.
///
/// An `Array` moves everything it has when it grows. For a million records that takes a second, in
/// which the broker would answer nobody. Access costs one more look-up than that of an `Array`.
@usableFromInline
package struct BlockArray<Element> {
    @usableFromInline package var count = 0
    @usableFromInline var blocks: [[Element]] = []

    /// Binary digits of an index within a block.
    ///
    /// A block is large enough to be made seldom, and small enough to be made quickly.
    @inlinable static var bits: Int { 10 }
    @inlinable static var size: Int { 1 << bits }

    @inlinable package init() {}

    @inlinable package subscript(index: Int) -> Element {
        // Not `_read`: that would copy the whole element to read one field of it.
        @inline(__always) get { blocks[index >> Self.bits][index & (Self.size - 1)] }
        @inline(__always) _modify {
            yield &blocks[index >> Self.bits][index & (Self.size - 1)]
        }
    }

    @inlinable package mutating func append(_ element: Element) {
        if count & (Self.size - 1) == 0 {
            var block: [Element] = []
            block.reserveCapacity(Self.size)
            blocks.append(block)
        }
        blocks[blocks.count - 1].append(element)
        count += 1
    }
}

extension BlockArray: Sendable where Element: Sendable {}
