/// A value kept outside of what contains it, or none: who has none pays for a pointer only.
///
/// Copies are independent of each other, as with any value.
package struct Apart<Value> {
    // At most one; an array is the language's own box that copies when it is shared.
    private var storage: [Value] = []

    package init() {}

    package var value: Value? { storage.first }
    package var isEmpty: Bool { storage.isEmpty }

    /// A part of the value, without a copy of the whole; `nil` if there is none.
    @inline(__always)
    package func read<Part>(_ body: (Value) -> Part) -> Part? {
        storage.isEmpty ? nil : body(storage[0])
    }

    package mutating func set(_ value: Value?) {
        storage = value.map { [$0] } ?? []
    }

    /// Changes the value in its place; first puts `initial` there if there is none.
    package mutating func change(
        from initial: @autoclosure () -> Value,
        _ body: (inout Value) -> Void
    ) {
        if storage.isEmpty { storage = [initial()] }
        body(&storage[0])
    }

    /// Changes the value in its place, if there is one.
    package mutating func change(_ body: (inout Value) -> Void) {
        guard !storage.isEmpty else { return }
        body(&storage[0])
    }
}

extension Apart: Sendable where Value: Sendable {}
