import CProcessControl

/// What a program is started with.
package struct SpawnRequest {
    /// Which process group it is in.
    package enum Group: Hashable, Sendable {
        case ours
        case own
    }

    /// The file to execute.
    package var path: SystemString
    /// All its words, its own name first.
    package var arguments: [SystemString]
    /// All variables of the program; it inherits no others.
    package var environment: EnvironmentBlock
    /// What becomes its standard input, output and error; nil is `/dev/null`.
    package var streams: [Int32?]
    /// More descriptors that it keeps, even if they are marked to be closed on exec.
    package var kept: [Int32] = []
    package var group = Group.ours
    /// What it does with signals when it begins.
    package var habits = SignalDispositions()

    package init(
        path: SystemString,
        arguments: [SystemString],
        environment: EnvironmentBlock,
        streams: [Int32?]
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.streams = streams
    }
}

extension SpawnRequest {
    /// Starts it as a child of this process.
    ///
    /// In the program, a signal that this process ignores has its default action, unless `habits`
    /// ignores it too.
    package func start() throws(StartError) -> Int32 {
        try orThroughShell { request throws(StartError) in try request.startOnce() }
    }

    /// Starts it; runs it by `/bin/sh` if it is a script without a `#!` line.
    private func orThroughShell<Started>(
        _ start: (SpawnRequest) throws(StartError) -> Started
    ) throws(StartError) -> Started {
        Self.takeNicenessOfProcess()
        do {
            return try start(self)
        } catch  where error.code == ENOEXEC {
            var request = self
            request.path = "/bin/sh"
            request.arguments = ["sh", path] + arguments.dropFirst()
            return try start(request)
        }
    }

    private func startOnce() throws(StartError) -> Int32 {
        let argv = CStrings(arguments)
        let envp = CStrings(environment.entries)
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
        for (standard, stream) in streams.enumerated() {
            let standard = Int32(standard)
            if let stream {
                posix_spawn_file_actions_adddup2(&actions, stream, standard)
            } else {
                let flags = standard == STDIN_FILENO ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", flags, 0)
            }
        }
        // Duplicating a descriptor onto itself removes its mark to be closed on exec.
        for descriptor in kept {
            posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor)
        }
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        if group == .own {
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
            posix_spawnattr_setpgroup(&attributes, 0)
        }
        #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var blocked = habits.blocked.systemSet
        posix_spawnattr_setsigmask(&attributes, &blocked)
        var defaults = Self.catchable.subtracting(habits.ignored).systemSet
        posix_spawnattr_setsigdefault(&attributes, &defaults)

        var pid: Int32 = 0
        let code = path.withCString {
            posix_spawn(&pid, $0, &actions, &attributes, argv.pointers, envp.pointers)
        }
        guard code == 0 else { throw StartError(code: code) }
        return pid
    }

    /// Gives this thread the niceness of the first one: as root, libdispatch makes its threads less
    /// nice, and what a thread starts inherits that.
    private static func takeNicenessOfProcess() {
        #if os(Linux)
        // Only on Linux 0 means the calling thread, and the pid the first thread.
        _ = setpriority(0, 0, getpriority(0, id_t(getpid())))
        #endif
    }

    /// The signals before the real-time ones, some of which the C library keeps for itself.
    private static let catchable = SignalSet(1...31).subtracting([SIGKILL, SIGSTOP])
}

extension SpawnRequest {
    /// A program in a session of its own.
    package struct Session {
        /// The leader of the session: a child of this process, which ends after the program.
        package var leader: Int32
        package var program: Int32
        /// Delivers what waitpid(2) says of the program, an Int32 each; the caller closes it.
        package var reports: Int32
    }

    /// Starts it in a session of its own on this terminal; streams that are nil are the terminal.
    package func start(onTerminal terminal: String) throws(StartError) -> Session {
        try orThroughShell { request throws(StartError) in
            try request.startOnce(onTerminal: terminal)
        }
    }

    private func startOnce(onTerminal terminal: String) throws(StartError) -> Session {
        let argv = CStrings(arguments)
        let envp = CStrings(environment.entries)
        var session = Session(leader: 0, program: 0, reports: -1)
        let code = path.withCString { path in
            terminal.withCString { terminal in
                kept.withUnsafeBufferPointer { kept in
                    var start = session_start()
                    start.path = path
                    start.arguments = UnsafePointer(argv.pointers)
                    start.environment = UnsafePointer(envp.pointers)
                    start.terminal = terminal
                    start.streams = (streams[0] ?? -1, streams[1] ?? -1, streams[2] ?? -1)
                    start.kept = kept.baseAddress
                    start.kept_count = kept.count
                    start.ignored = habits.ignored.bits
                    start.blocked = habits.blocked.bits
                    return start_in_session(
                        &start,
                        &session.leader,
                        &session.program,
                        &session.reports
                    )
                }
            }
        }
        guard code == 0 else { throw StartError(code: code) }
        return session
    }
}
