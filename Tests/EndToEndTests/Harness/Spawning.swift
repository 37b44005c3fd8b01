import Foundation
import ProcessControl
import Synchronization

/// What is to be started: a program, its arguments and where its words go.
struct ProgramStart {
    var path: String
    var arguments: [String]
    var environment: [String: String]
    /// Files that receive standard output and standard error.
    var outputPath: String
    var errorPath: String
}

/// Starts programs, each as the leader of a process group of its own.
///
/// Foundation's `Process` would do, but for what matters here: a child must inherit nothing but its
/// three standard descriptors, and its pid must stay its own until this process has collected it.
enum Spawning {
    // No child may be forked between the making of a pipe and the mark that keeps it from others.
    private static let lock = Mutex(())

    /// Starts it; returns its pid and the writing end of its standard input.
    static func start(_ program: ProgramStart) throws -> (pid: pid_t, input: Int32) {
        try lock.withLock { _ in
            // A worker that has died must not take the test with it.
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw StartError(code: errno) }
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
            let output = open(program.outputPath, flags, 0o600)
            let error = open(program.errorPath, flags, 0o600)
            defer { for descriptor in [ends[0], output, error] { close(descriptor) } }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            var request = SpawnRequest(
                path: SystemString(program.path),
                arguments: ([program.path] + program.arguments).map { SystemString($0) },
                environment: EnvironmentBlock(
                    entries: program.environment.map { SystemString("\($0.key)=\($0.value)") }
                ),
                streams: [ends[0], output, error]
            )
            request.group = .own
            do {
                return (try request.start(), ends[1])
            } catch {
                close(ends[1])
                throw error
            }
        }
    }
}
