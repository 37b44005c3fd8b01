/// Which adapter reads a command's output.
package enum AdapterChoice: Hashable, Sendable {
    /// The one of this name, see `names`.
    case forced(String, for: CommandWords)
    /// By the command's name, otherwise by what its output looks like.
    case automatic(CommandWords)
    /// A pattern with names in braces, see `PatternAdapter`.
    case pattern(String)
    case none

    /// What may be forced, in the order in which help should list it.
    package static var names: [String] { AdapterCatalog.all.map { $0.name } }

    package static func forced(_ name: String) -> AdapterChoice {
        .forced(name, for: CommandWords([]))
    }

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
