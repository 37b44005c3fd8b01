import ProcessControl

/// A command that runs, and our ends of what it prints to.
struct StartedCommand: Sendable {
    /// One stream of its output on the way to ours.
    struct Stream: Sendable {
        /// Ours, does not block.
        var source: Int32
        /// The standard descriptor of ours that it is passed on to.
        var target: Int32
        /// Shared with the input where it is a terminal.
        var isTerminal: Bool
    }

    var pid: pid_t
    var place: StandardStreamsPlan.Place
    /// Set in a session: what becomes of it is told here, see `SpawnRequest.Session`.
    var reports: Int32?
    var leader: pid_t?
    var terminal: PseudoTerminal?
    var streams: [Stream]
    /// Set where it is an ssh.
    var connection: ConnectionGuard?

    var leadsGroup: Bool { place != .ourGroup }

    /// Starts a command with its streams as the plan says.
    ///
    /// - Throws: Why it cannot be started, or that there is no descriptor left.
    static func start(
        _ request: SpawnRequest,
        plan: StandardStreamsPlan
    ) throws(StartError) -> StartedCommand {
        var ends = Ends()
        do throws(StartError) {
            var request = request
            let terminal = try ends.terminal(for: plan)
            var otherSide: Int32?
            if let terminal, plan.place != .session {
                terminal.leaveOutputAsItIs()
                if !plan.place.isSession {
                    otherSide = try ends.adopt(theirs: terminal.openOtherSide())
                }
            }
            var streams: [Stream] = []
            func connect(
                _ output: StandardStreamsPlan.Output,
                _ own: Int32
            ) throws(StartError) -> Int32? {
                switch output {
                case .inherited: return own
                case .withOutput: return request.streams[1]
                case .pipe:
                    let pipe = try ends.pipe(isLarge: !plan.isOneOfMany)
                    streams.append(Stream(source: pipe.ours, target: own, isTerminal: false))
                    return pipe.theirs
                case .terminal:
                    guard let terminal else { return own }
                    let source = terminal.descriptor
                    streams.append(Stream(source: source, target: own, isTerminal: true))
                    return otherSide
                }
            }
            request.streams[0] = plan.place == .session || plan.isOneOfMany ? nil : STDIN_FILENO
            request.streams[1] = try connect(plan.output, STDOUT_FILENO)
            request.streams[2] = try connect(plan.error, STDERR_FILENO)
            var command = StartedCommand(
                pid: 0,
                place: plan.place,
                terminal: terminal,
                streams: streams
            )
            if plan.place.isSession, let terminal {
                let session = try request.start(onTerminal: terminal.path)
                command.pid = session.program
                command.leader = session.leader
                command.reports = session.reports
            } else {
                request.group = plan.place == .ownGroup ? .own : .ours
                command.pid = try request.start()
            }
            ends.closeTheirs()
            return command
        } catch {
            ends.closeAll()
            throw error
        }
    }
}

/// The descriptors made for a command.
private struct Ends {
    private var ours: [Int32] = []
    private var theirs: [Int32] = []

    /// The terminal that a plan needs, like the one that it stands for.
    mutating func terminal(for plan: StandardStreamsPlan) throws(StartError) -> PseudoTerminal? {
        guard plan.output == .terminal || plan.error == .terminal else { return nil }
        let model = plan.output == .terminal ? STDOUT_FILENO : STDERR_FILENO
        let terminal = try PseudoTerminal(like: model)
        ours.append(terminal.descriptor)
        return terminal
    }

    mutating func pipe(isLarge: Bool) throws(StartError) -> (ours: Int32, theirs: Int32) {
        let pipe = try Pipe(isLarge: isLarge)
        ours.append(pipe.reading)
        theirs.append(pipe.writing)
        return (pipe.reading, pipe.writing)
    }

    mutating func adopt(theirs descriptor: Int32) -> Int32 {
        theirs.append(descriptor)
        return descriptor
    }

    mutating func closeTheirs() {
        for descriptor in theirs { close(descriptor) }
        theirs = []
    }

    mutating func closeAll() {
        closeTheirs()
        for descriptor in ours { close(descriptor) }
        ours = []
    }
}

extension StandardStreamsPlan.Facts {
    /// How it is now.
    static func present(isRead: Bool) -> StandardStreamsPlan.Facts {
        var output = stat()
        var error = stat()
        let isKnown = fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &error) == 0
        let kind = output.st_mode & S_IFMT
        return StandardStreamsPlan.Facts(
            inputIsTerminal: isatty(STDIN_FILENO) == 1,
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            outputIsFile: isKnown && (kind == S_IFREG || kind == S_IFCHR),
            outputsAreOne: isKnown && output.st_dev == error.st_dev
                && output.st_ino == error.st_ino,
            hasTerminal: InheritedContext.hasTerminal,
            isRead: isRead
        )
    }
}
