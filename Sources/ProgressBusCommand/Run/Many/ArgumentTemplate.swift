import ProcessControl

/// A command with `{}` in the places of its argument.
struct ArgumentTemplate: Sendable {
    private static let place = Array("{}".utf8)
    /// What stands between the command and its arguments.
    private static let separator = SystemString(":::")

    let words: [SystemString]
    /// The arguments after `:::`; nil where they come from standard input.
    let arguments: [SystemString]?

    /// Splits the words of the command line into the command and its arguments.
    init(_ words: [SystemString]) {
        if let end = words.firstIndex(of: Self.separator) {
            self.words = Array(words[..<end])
            arguments = Array(words[(end + 1)...])
        } else {
            self.words = words
            arguments = nil
        }
    }

    /// The command for one argument, which replaces every `{}`, or comes last if there is none.
    func filled(with argument: SystemString) -> [SystemString] {
        var isPlaced = false
        let filled = words.map { word in
            var bytes: [UInt8] = []
            var rest = word.bytes[...]
            while !rest.isEmpty {
                if rest.starts(with: Self.place) {
                    bytes += argument.bytes
                    rest = rest.dropFirst(Self.place.count)
                    isPlaced = true
                } else {
                    bytes.append(rest.removeFirst())
                }
            }
            return SystemString(bytes: bytes)
        }
        return isPlaced ? filled : filled + [argument]
    }
}
