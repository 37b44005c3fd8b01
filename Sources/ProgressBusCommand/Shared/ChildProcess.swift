import ProcessControl

/// A process that this process has started, of its own program or of another one of ProgressBus.
struct ChildProcess: Sendable {
    /// Which descriptors of ours become the standard ones of the child; `nil` is `/dev/null`.
    struct Streams {
        var input: Int32?
        var output: Int32?
        var error: Int32?
    }

    let pid: pid_t

    /// Starts a program, by default our own, with these arguments and exactly this environment.
    ///
    /// The child gets no descriptors but the three standard ones and those that are `kept`, and no
    /// signal is blocked or ignored in it.
    static func start(
        program: SystemString = SystemString(OwnProcess.executable),
        _ arguments: [String],
        environment: [String: String],
        streams: Streams,
        kept: [Int32] = [],
        group: SpawnRequest.Group = .ours
    ) throws(StartError) -> ChildProcess {
        closeDescriptorsOnExec()
        var request = SpawnRequest(
            path: program,
            arguments: [program] + arguments.map { SystemString($0) },
            environment: EnvironmentBlock(
                entries: environment.map { SystemString("\($0.key)=\($0.value)") }
            ),
            streams: [streams.input, streams.output, streams.error]
        )
        request.kept = kept
        request.group = group
        return ChildProcess(pid: try request.start())
    }

    /// Returns at once how the process ended; `nil` while it runs.
    ///
    /// Must not be called again once it has returned an end.
    func endIfAny() -> ProcessEnd? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        return ProcessEnd(waitStatus: status)
    }

    /// Sends the process a signal.
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
        for descriptor in InheritedContext.furtherDescriptors {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }
}
