/// The encoding and direction of texts that a locale's name states, such as `he_IL.UTF-8`.
struct LocaleName: Equatable {
    /// Whether texts may be more than ASCII.
    let isUTF8: Bool
    /// Whether texts begin at the right.
    let isRightToLeft: Bool

    private static let rightToLeft: Set<Substring> = [
        "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "prs", "ps", "sd", "syr", "ug",
        "ur", "yi",
    ]

    /// Reads the locale of a process from the first of three variables that is not empty.
    init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        self.init(names.first { !$0.isEmpty } ?? "C")
    }

    /// Reads `language_COUNTRY.ENCODING@modifier`, of which only the language must be there, or an
    /// encoding alone.
    init(_ name: String) {
        let parts = name.split(separator: "@", maxSplits: 1)
        let head = parts.first ?? ""
        let script = parts.count > 1 ? parts[1].lowercased() : ""
        let dot = head.firstIndex(of: ".")
        let encoding = dot.map { head[head.index(after: $0)...] } ?? head
        isUTF8 = encoding.lowercased().filter { $0 != "-" } == "utf8"
        let language = head[..<(dot ?? head.endIndex)].prefix { $0 != "_" && $0 != "-" }
        // Some of these languages are written in several scripts.
        let isOtherScript = ["latin", "devanagari", "cyrillic"].contains(script)
        isRightToLeft = Self.rightToLeft.contains(language.lowercased()[...]) && !isOtherScript
    }
}
