/// A text to search for in other texts, ignoring case.
///
/// The time of a search grows only with the searched text, whatever both texts contain: both come
/// from peers. The algorithm is that of Knuth, Morris and Pratt.
struct Needle: Sendable {
    private let bytes: [UInt8]
    /// For each byte, the length of the longest proper prefix of the needle that ends there too.
    private let repeated: [Int]

    init(_ text: String) {
        let bytes = Array(text.lowercased().utf8)
        var repeated: [Int] = []
        for byte in bytes {
            var length = repeated.last ?? 0
            while length > 0, bytes[length] != byte { length = repeated[length - 1] }
            repeated.append(repeated.isEmpty || bytes[length] != byte ? 0 : length + 1)
        }
        self.bytes = bytes
        self.repeated = repeated
    }

    /// Whether a text contains the needle; an empty text contains nothing.
    func isIn(_ text: String) -> Bool {
        var text = text
        if !text.utf8.allSatisfy({ $0 < 0x80 }) { text = text.lowercased() }
        return text.withUTF8(isIn)
    }

    private func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !text.isEmpty, !bytes.isEmpty else { return !text.isEmpty }
        var length = 0
        for byte in text {
            let byte = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
            while length > 0, bytes[length] != byte { length = repeated[length - 1] }
            if bytes[length] == byte { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }
}
