import ProcessControl

/// A command with a place for the argument that tells it from the others.
struct ArgumentTemplate: Sendable {
    private static let place = Array("{}".utf8)
    /// What stands between the command and its arguments.
    private static let separator = SystemString(":::")

    let words: [SystemString]
    /// The arguments after `:::`; nil where they come from standard input.
    let arguments: [SystemString]?

    /// Takes apart what stands on the command line.
    init(_ words: [SystemString]) {
        if let end = words.firstIndex(of: Self.separator) {
            self.words = Array(words[..<end])
            arguments = Array(words[(end + 1)...])
        } else {
            self.words = words
            arguments = nil
        }
    }

    /// The command for one argument: in the place of every `{}`, at the end where there is none.
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
