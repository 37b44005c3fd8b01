import ProgressBus

/// Addresses in texts of other processes.
///
/// Those of the web alone: what opens other kinds of addresses may start programs.
enum WebLink {
    private static let schemes = ["https://", "http://"]
    /// What ends a sentence or a bracket belongs to the text around.
    private static let trailing: Set<Unicode.Scalar> = [
        ".", ",", ";", ":", "!", "?", "'", ")", "]", "}",
    ]

    /// All that are in a text, in order.
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

    /// Whether it can be in an address as it is.
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
