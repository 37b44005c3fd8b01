/// Why there is no such adapter.
package enum AdapterError: Error, Hashable, CustomStringConvertible {
    case unknownName(String, known: [String])
    /// What the pattern is, and what is wrong with it.
    case badPattern(String, why: String)

    package var description: String {
        switch self {
        case .unknownName(let name, let known):
            """
            There is no adapter \(name). There are \(known.joined(separator: ", ")); \
            “none” reads no output.
            """
        case .badPattern(let pattern, let why): "The pattern \(pattern) cannot be used: \(why)"
        }
    }
}
