extension String {
    /// Whether it is short enough and has bytes from the space to the tilde alone: each of them is a
    /// character by itself and moves no cursor, so that nothing more need be asked of it.
    package func isPlain(within limit: Int = .max) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            bytes.count <= limit && bytes.allSatisfy { 0x20...0x7e ~= $0 }
        }
    }
}
