/// A value kept outside of what contains it, or none, which costs only a pointer.
///
/// Copies are independent of each other, as with any value.
package struct Boxed<Value> {
    // The library's smallest object with room for a value.
    private typealias Box = ManagedBuffer<Value, Void>

    private var box: Box?

    package init() {}

    package var isEmpty: Bool { box == nil }

    /// A part of the value, without a copy of the whole; `nil` if there is none.
    @inline(__always)
    package func read<Part>(_ body: (Value) -> Part) -> Part? {
        box?.withUnsafeMutablePointerToHeader { body($0.pointee) }
    }

    package mutating func set(_ value: Value?) {
        box = value.map(Self.box)
    }

    /// Changes the value in its place; first puts `initial` there if there is none.
    package mutating func change(
        from initial: @autoclosure () -> Value,
        _ body: (inout Value) -> Void
    ) {
        if box == nil { box = Self.box(initial()) }
        change(body)
    }

    /// Changes the value in its place, if there is one.
    package mutating func change(_ body: (inout Value) -> Void) {
        if !isKnownUniquelyReferenced(&box) {
            guard let shared = box else { return }
            box = shared.withUnsafeMutablePointerToHeader { Self.box($0.pointee) }
        }
        box?.withUnsafeMutablePointerToHeader { body(&$0.pointee) }
    }

    private static func box(_ value: Value) -> Box {
        Box.create(minimumCapacity: 0) { _ in value }
    }
}

// Copies that share a box only read it: a change first makes a box of its own.
extension Boxed: @unchecked Sendable where Value: Sendable {}
