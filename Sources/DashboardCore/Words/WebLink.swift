import ProgressBus

/// Addresses in texts of other processes.
///
/// Only web addresses count, as opening other kinds may start programs.
enum WebLink {
    private static let schemes = ["https://", "http://"]
    /// Characters that end a sentence or a bracket belong to the text around an address.
    private static let trailing: Set<Unicode.Scalar> = [
        ".", ",", ";", ":", "!", "?", "'", ")", "]", "}",
    ]

    /// All web addresses in a text, in order.
    static func all(in text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return [] }
        return text.unicodeScalars.split { !isLetter($0) }.compactMap { word in
            var rest = word
            while !rest.isEmpty {
                if let scheme = schemes.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                    while let last = rest.last, trailing.contains(last) { rest.removeLast() }
                    return rest.count > scheme.count ? String(rest) : nil
                }
                rest.removeFirst()
            }
            return nil
        }
    }

    /// Whether an address can contain the scalar as it is.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x21..<0x7F).contains(scalar.value) && !"\"<>`\\^{|}".unicodeScalars.contains(scalar)
    }
}

extension TaskSnapshot {
    /// The links in what a task says of itself.
    var links: [String] {
        [detail, reason ?? "", note, options.consequence].flatMap(WebLink.all)
    }
}
