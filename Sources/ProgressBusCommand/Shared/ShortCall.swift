/// A call that scripts make again and again, read without ArgumentParser.
///
/// That takes as long to read it as everything else in the call takes together. Whatever has more to
/// it than this is left to ArgumentParser, which reads these calls in the same way.
enum ShortCall: Equatable {
    case version
    case advance(task: String, by: Int64)
    /// The arguments behind `run`: a separator and a command.
    case run([String])

    /// `nil` for every other call.
    init?(_ arguments: [String]) {
        switch arguments.first {
        case "version", "--version":
            guard arguments.count == 1 else { return nil }
            self = .version
        case "advance":
            guard arguments.count > 1, let first = arguments[1].first, first != "-" else {
                return nil
            }
            switch arguments.count {
            case 2: self = .advance(task: arguments[1], by: 1)
            case 4 where arguments[2] == "--by":
                guard let step = Int64(arguments[3]), step >= 1 else { return nil }
                self = .advance(task: arguments[1], by: step)
            default: return nil
            }
        case "run":
            // Many commands, and a mistake that is told in words, are ArgumentParser's.
            guard arguments.count > 2, arguments[1] == "--", !arguments.contains(":::") else {
                return nil
            }
            self = .run(Array(arguments.dropFirst()))
        default: return nil
        }
    }

    func run() throws {
        switch self {
        case .version: try VersionCommand().run()
        case .advance(let task, let step):
            try AdvanceCommand.advance(task, by: step, DetachedRun(.usual))
        case .run(let command):
            let error: (any Error)? = waitForAnswer {
                do {
                    try await RunCommand.usual(command).run()
                    return nil
                } catch {
                    return error
                }
            }
            if let error { throw error }
        }
    }
}
