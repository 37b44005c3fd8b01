/// Writes the fields of a protobuf message one after another, as `serializedBytes()` would.
///
/// As in proto3 a field that has the default value of its type is left out; one that the schema
/// calls optional is given as an `Optional`, and left out only where it is `nil`. The generated
/// messages keep their parts in objects and look at everything twice, which a million rows feel.
struct MessageWriter {
    private enum WireType: UInt64 {
        case varint = 0
        case eightBytes = 1
        case lengthDelimited = 2
    }

    private(set) var bytes: [UInt8] = []

    init() {}

    /// Goes on behind these bytes, with room for so many more.
    init(behind bytes: [UInt8], room: Int) {
        self.bytes = bytes
        self.bytes.reserveCapacity(bytes.count + room)
    }

    /// What was written, which somebody else goes on with.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func number(_ field: UInt64, _ value: UInt64) {
        guard value != 0 else { return }
        tag(field, .varint)
        bytes.appendVarint(value)
    }

    mutating func number(_ field: UInt64, _ value: UInt32?) {
        guard let value else { return }
        tag(field, .varint)
        bytes.appendVarint(UInt64(value))
    }

    /// A field of type `int32` or `int64`: negative numbers take ten bytes.
    mutating func signed(_ field: UInt64, _ value: Int64?) {
        guard let value else { return }
        tag(field, .varint)
        bytes.appendVarint(UInt64(bitPattern: value))
    }

    /// A field of type `sint64`.
    mutating func zigzag(_ field: UInt64, _ value: Int64) {
        guard value != 0 else { return }
        zigzag(field, Optional(value))
    }

    mutating func zigzag(_ field: UInt64, _ value: Int64?) {
        guard let value else { return }
        tag(field, .varint)
        bytes.appendVarint(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// A value of an enumeration.
    mutating func choice(_ field: UInt64, _ value: Int) {
        number(field, UInt64(bitPattern: Int64(value)))
    }

    /// A list of numbers, packed.
    mutating func numbers(_ field: UInt64, _ values: [UInt64]) {
        guard !values.isEmpty else { return }
        message(field) { writer in
            for value in values { writer.bytes.appendVarint(value) }
        }
    }

    mutating func binary(_ field: UInt64, _ value: [UInt8]) {
        guard !value.isEmpty else { return }
        tag(field, .lengthDelimited)
        bytes.appendVarint(UInt64(value.count))
        bytes += value
    }

    mutating func truth(_ field: UInt64, _ value: Bool) {
        number(field, value ? 1 : 0)
    }

    mutating func double(_ field: UInt64, _ value: Double) {
        guard value.bitPattern != 0 else { return }
        double(field, Optional(value))
    }

    mutating func double(_ field: UInt64, _ value: Double?) {
        guard let value else { return }
        tag(field, .eightBytes)
        eight(value.bitPattern)
    }

    /// A field of type `fixed64`.
    mutating func fixed(_ field: UInt64, _ value: UInt64) {
        guard value != 0 else { return }
        tag(field, .eightBytes)
        eight(value)
    }

    mutating func text(_ field: UInt64, _ value: String) {
        let utf8 = value.utf8
        guard !utf8.isEmpty else { return }
        tag(field, .lengthDelimited)
        bytes.appendVarint(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    /// A message within this one; written even if it is empty.
    mutating func message(_ field: UInt64, _ content: (inout MessageWriter) -> Void) {
        tag(field, .lengthDelimited)
        // Nearly all lengths take one byte or two: room for one is left, and made for more.
        bytes.append(0)
        let start = bytes.count
        content(&self)
        let length = UInt64(bytes.count - start)
        guard length >= 0x80 else {
            bytes[start - 1] = UInt8(length)
            return
        }
        var varint: [UInt8] = []
        varint.appendVarint(length)
        bytes.replaceSubrange(start - 1..<start, with: varint)
    }

    private mutating func tag(_ field: UInt64, _ type: WireType) {
        bytes.appendVarint(field << 3 | type.rawValue)
    }

    private mutating func eight(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension [UInt8] {
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
