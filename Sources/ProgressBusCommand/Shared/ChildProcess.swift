#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process of our own program that this process has started.
struct ChildProcess: Sendable {
    /// How a process ended.
    enum End: Hashable, Sendable {
        case exited(status: Int32)
        case signalled(Int32)
    }

    /// Why a process could not be started.
    struct StartError: Error, CustomStringConvertible {
        var code: Int32
        var description: String { String(cString: strerror(code)) }
    }

    /// Which descriptors of ours become the standard ones of the child; `nil` is `/dev/null`.
    struct Streams {
        var input: Int32?
        var output: Int32?
        var error: Int32?
    }

    let pid: pid_t

    /// Starts our own executable with these arguments and exactly this environment.
    ///
    /// The child gets no descriptors but the three standard ones and no signal is blocked or
    /// ignored in it.
    static func start(
        _ arguments: [String],
        environment: [String: String],
        streams: Streams
    ) throws(StartError) -> ChildProcess {
        closeDescriptorsOnExec()
        let path = OwnExecutable.path
        let argv = CStrings([path] + arguments)
        let envp = CStrings(environment.map { "\($0.key)=\($0.value)" })
        defer {
            argv.release()
            envp.release()
        }
        var actions = SpawnActions()
        defer { actions.destroy() }
        actions.attach(streams.input, to: STDIN_FILENO, flags: O_RDONLY)
        actions.attach(streams.output, to: STDOUT_FILENO, flags: O_WRONLY)
        actions.attach(streams.error, to: STDERR_FILENO, flags: O_WRONLY)
        var attributes = SpawnAttributes()
        defer { attributes.destroy() }

        var pid: pid_t = 0
        let code = posix_spawn(
            &pid,
            path,
            &actions.value,
            &attributes.value,
            argv.pointers,
            envp.pointers
        )
        guard code == 0 else { throw StartError(code: code) }
        return ChildProcess(pid: pid)
    }

    /// How it ended, if it has; does not wait.
    ///
    /// Must not be called again once it has returned an end.
    func endIfAny() -> End? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        return End(waitStatus: status)
    }

    /// Waits for its end; blocks the thread.
    func waitForEnd() -> End {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return End(waitStatus: status)
    }

    /// Sends it a signal.
    ///
    /// Must not be called once its end is known: the pid may be somebody else's by then.
    func send(signal: Int32) {
        kill(pid, signal)
    }

    /// Marks all descriptors but the standard ones so that no child inherits them.
    ///
    /// glibc's `posix_spawn_file_actions_addclosefrom_np` would do it in the child, but is not in
    /// the headers that Swift imports, and older C libraries lack it.
    private static func closeDescriptorsOnExec() {
        #if os(Linux)
        guard let directory = opendir("/proc/self/fd") else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0, flags & FD_CLOEXEC == 0 else { continue }
            _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
        }
        #endif
    }
}

extension ChildProcess.End {
    /// Reads what waitpid(2) reports; the macros for it are not imported into Swift.
    fileprivate init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited(status: (waitStatus >> 8) & 0xff) : .signalled(signal)
    }
}

/// A null-terminated array of C strings.
private struct CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() {
            (pointers + index).initialize(to: strdup(string))
        }
        (pointers + count).initialize(to: nil)
    }

    func release() {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}

private struct SpawnActions {
    #if canImport(Darwin)
    var value: posix_spawn_file_actions_t?
    #else
    var value = posix_spawn_file_actions_t()
    #endif

    init() {
        posix_spawn_file_actions_init(&value)
    }

    mutating func attach(_ descriptor: Int32?, to standard: Int32, flags: Int32) {
        if let descriptor {
            posix_spawn_file_actions_adddup2(&value, descriptor, standard)
        } else {
            posix_spawn_file_actions_addopen(&value, standard, "/dev/null", flags, 0)
        }
    }

    mutating func destroy() {
        posix_spawn_file_actions_destroy(&value)
    }
}

private struct SpawnAttributes {
    #if canImport(Darwin)
    var value: posix_spawnattr_t?
    #else
    var value = posix_spawnattr_t()
    #endif

    init() {
        posix_spawnattr_init(&value)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&value, &signals)
        // SIGPIPE is ignored here, and an ignored signal stays ignored over exec.
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        posix_spawnattr_setsigdefault(&value, &signals)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&value, Int16(flags))
    }

    mutating func destroy() {
        posix_spawnattr_destroy(&value)
    }
}
