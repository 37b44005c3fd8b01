import ChildProcesses
import OutputReading
import TaskTree

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Starts one command after the other, each with its argument.
struct ManyStarter: Sendable {
    var template: ArgumentTemplate
    var endpoint: String?
    /// Descriptors beyond the standard ones that they keep.
    var further: [Int32]
    var outputsAreOne: Bool
    /// Ours, without what is for each.
    private let environment = InheritedContext.environment

    init(template: ArgumentTemplate, endpoint: String?, further: [Int32], outputsAreOne: Bool) {
        self.template = template
        self.endpoint = endpoint
        self.further = further
        self.outputsAreOne = outputsAreOne
    }

    /// One that runs, and our ends of its streams.
    struct Started {
        var pid: pid_t
        var streams: [(source: Int32, name: OutputStream)]
    }

    func start(_ argument: SystemString, parent: TaskID) throws(CommandStartError) -> Started {
        let words = template.filled(with: argument)
        do {
            return try start(words, parent: parent)
        } catch {
            throw CommandStartError(name: words[0].text, error: error)
        }
    }

    private func start(_ words: [SystemString], parent: TaskID) throws(StartError) -> Started {
        var environment = environment
        CommandEnvironment.change(&environment, parent: parent, endpoint: endpoint)
        let path = try ProgramSearch.find(words[0], in: environment.searchPath)
        var pipes: [(reading: Int32, writing: Int32)] = []
        defer { for pipe in pipes { close(pipe.writing) } }
        do throws(StartError) {
            for _ in 0..<(outputsAreOne ? 1 : 2) { pipes.append(try makePipe(isLarge: false)) }
            let writing = pipes.map(\.writing)
            var request = SpawnRequest(
                path: path,
                arguments: words,
                environment: environment,
                streams: [nil, writing.first, writing.last]
            )
            request.group = .own
            request.kept = further
            request.habits = StandardStreams.startingHabits
            let pid = try request.start()
            let names: [OutputStream] = [.output, .error]
            return Started(
                pid: pid,
                streams: zip(pipes, names).map { (source: $0.reading, name: $1) }
            )
        } catch {
            for pipe in pipes { close(pipe.reading) }
            throw error
        }
    }
}

extension CommandStartError {
    /// Whether there may be room for another process later.
    var isForNow: Bool {
        [EAGAIN, EMFILE, ENFILE, ENOMEM].contains(error.code)
    }
}
