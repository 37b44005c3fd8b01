extension String {
    /// Whether it has at most `limit` bytes, all of them from the space to the tilde.
    ///
    /// Such a text needs no further check: each byte is a character by itself and moves no cursor.
    package func isPlain(within limit: Int = .max) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            bytes.count <= limit && bytes.allSatisfy { 0x20...0x7e ~= $0 }
        }
    }
}
