/// Which adapter reads a command's output.
package enum AdapterChoice: Hashable, Sendable {
    /// The one of this name, see `names`.
    case forced(String, for: CommandWords)
    /// By the command's name, otherwise by what its output looks like.
    case automatic(CommandWords)
    /// A pattern with names in braces, see `PatternAdapter`.
    case pattern(String)
    case none

    /// The names that may be forced, in the order in which help should list them.
    package static var names: [String] { AdapterCatalog.all.map { $0.name } }

    func adapter() throws(AdapterError) -> (any OutputAdapter)? {
        switch self {
        case .forced(let name, let command):
            guard let type = AdapterCatalog.all.first(where: { $0.name == name }) else {
                throw .unknownName(name, known: Self.names)
            }
            return type.init(for: command.meant)
        case .automatic(let command):
            let command = command.meant
            let type = AdapterCatalog.all.first { $0.recognizes(command) }
            return type?.init(for: command) ?? GuessingAdapter(for: command)
        case .pattern(let pattern): return try PatternAdapter(pattern)
        case .none: return nil
        }
    }
}

/// All adapters.
enum AdapterCatalog {
    static let all: [any OutputAdapter.Type] =
        bySight + [SwiftAdapter.self, PercentAdapter.self, CountAdapter.self]

    /// The adapters that recognize their program's lines without the command's name.
    ///
    /// The first one that recognizes a line takes over, so those with the most telling lines come
    /// first.
    static let bySight: [any OutputAdapter.Type] = [
        GitAdapter.self, CurlAdapter.self, WgetAdapter.self, RsyncAdapter.self,
        TqdmAdapter.self, PipAdapter.self, RichAdapter.self, FFmpegAdapter.self, AptAdapter.self,
        PVAdapter.self, DDAdapter.self, XZAdapter.self, ZstdAdapter.self,
        MakeAdapter.self, NinjaAdapter.self,
    ]
}

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
