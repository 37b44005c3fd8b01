/// Text as most text is: bytes from the space to the tilde and no others.
///
/// Each is a character by itself and moves no cursor, so that nothing more need be asked of it.
package enum PlainText {
    /// Whether the bytes are nothing else; eight are looked at in one go.
    package static func isAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8 else { return bytes.allSatisfy { 0x20...0x7e ~= $0 } }
        for offset in stride(from: 0, to: bytes.count - 8, by: 8) {
            guard isPlain(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else {
                return false
            }
        }
        // The last eight; some of them may be looked at again.
        return isPlain(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    }

    // Bytes from 0x80 on have the highest bit; a smaller one that is not plain gets it by one of the
    // two sums. What is carried from byte to byte comes from one that is not plain.
    private static func isPlain(_ eight: UInt64) -> Bool {
        let sums = (eight &- 0x2020_2020_2020_2020) | (eight &+ 0x0101_0101_0101_0101)
        return (eight | sums) & 0x8080_8080_8080_8080 == 0
    }
}

extension String {
    /// Whether it is short enough and nothing but ``PlainText``.
    package func isPlain(within limit: Int = .max) -> Bool {
        var text = self
        return text.withUTF8 { $0.count <= limit && PlainText.isAll(UnsafeRawBufferPointer($0)) }
    }
}
