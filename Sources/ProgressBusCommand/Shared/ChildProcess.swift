import ProcessControl

/// A process of our own program that this process has started.
struct ChildProcess: Sendable {
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
        let path = OwnProcess.executable
        let request = SpawnRequest(
            path: SystemString(path),
            arguments: ([path] + arguments).map { SystemString($0) },
            environment: EnvironmentBlock(
                entries: environment.map { SystemString("\($0.key)=\($0.value)") }
            ),
            streams: [streams.input, streams.output, streams.error]
        )
        return ChildProcess(pid: try request.start())
    }

    /// How it ended, if it has; does not wait.
    ///
    /// Must not be called again once it has returned an end.
    func endIfAny() -> ProcessEnd? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        return ProcessEnd(waitStatus: status)
    }

    /// Waits for its end; blocks the thread.
    func waitForEnd() -> ProcessEnd {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return ProcessEnd(waitStatus: status)
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
        for descriptor in InheritedContext.furtherDescriptors {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }
}
