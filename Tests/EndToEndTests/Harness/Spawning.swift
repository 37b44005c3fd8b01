import Foundation
import Synchronization

/// What is to be started: a program, its arguments and where its words go.
struct SpawnRequest {
    var path: String
    var arguments: [String]
    var environment: [String: String]
    /// Files that receive standard output and standard error.
    var outputPath: String
    var errorPath: String
}

struct SpawnError: Error, CustomStringConvertible {
    var path: String
    var code: Int32
    var description: String { "cannot start \(path): \(String(cString: strerror(code)))" }
}

/// Starts programs with posix_spawn, each as the leader of a process group of its own.
///
/// Foundation's `Process` would do, but for what matters here: a child must inherit nothing but its
/// three standard descriptors, and its pid must stay its own until this process has collected it.
enum Spawning {
    // No child may be forked between the making of a pipe and the mark that keeps it from others.
    private static let lock = Mutex(())

    /// Starts it; returns its pid and the writing end of its standard input.
    static func start(_ request: SpawnRequest) throws -> (pid: pid_t, input: Int32) {
        try lock.withLock { _ in
            // A worker that has died must not take the test with it.
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SpawnError(path: request.path, code: errno) }
            defer { close(ends[0]) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            do {
                return (try spawn(request, input: ends[0]), ends[1])
            } catch {
                close(ends[1])
                throw error
            }
        }
    }

    private static func spawn(_ request: SpawnRequest, input: Int32) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 1, request.outputPath, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, request.errorPath, flags, 0o600)

        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        var options = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        options |= Int32(POSIX_SPAWN_SETPGROUP)
        #if canImport(Darwin)
        options |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(options))

        var arguments: [UnsafeMutablePointer<CChar>?] =
            ([request.path] + request.arguments).map { strdup($0) }
        var environment: [UnsafeMutablePointer<CChar>?] =
            request.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { (arguments + environment).forEach { free($0) } }
        arguments.append(nil)
        environment.append(nil)

        var pid: pid_t = 0
        let code = posix_spawn(
            &pid,
            request.path,
            &actions,
            &attributes,
            arguments,
            environment
        )
        guard code == 0 else { throw SpawnError(path: request.path, code: code) }
        return pid
    }
}
