extension String {
    /// The longest beginning of at most this many UTF-8 bytes that ends between two characters.
    ///
    /// Costs a comparison when the text is short enough. A text whose first character alone is
    /// longer than the limit is cut between two Unicode scalars.
    package func limited(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let characters = Substring(self).beginning(of: limit) { $0.utf8.count }
        guard characters.isEmpty else { return String(characters) }
        return String(unicodeScalars.beginning(of: limit) { UTF8.width($0) })
    }
}

extension Collection {
    /// The longest beginning whose elements have at most `limit` bytes together.
    fileprivate func beginning(of limit: Int, bytes: (Element) -> Int) -> SubSequence {
        var left = limit
        return prefix { element in
            left -= bytes(element)
            return left >= 0
        }
    }
}
