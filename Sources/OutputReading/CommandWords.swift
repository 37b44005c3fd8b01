/// A command as somebody typed it.
package struct CommandWords: Hashable, Sendable {
    /// The program without its directory.
    package var program: String
    package var arguments: [String]

    package init(_ words: [String]) {
        let path = words.first ?? ""
        program = path.split(separator: "/").last.map(String.init) ?? path
        arguments = Array(words.dropFirst())
    }
}
