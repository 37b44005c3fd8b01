import ProcessControl

/// A running command, and our ends of its output.
struct StartedCommand: Sendable {
    /// One stream of its output on the way to ours.
    struct Stream: Sendable {
        /// The descriptor that we read; it does not block.
        var source: Int32
        /// The standard descriptor of ours that it is passed on to.
        var target: Int32
        /// Whether the source is the command's terminal, which in a `session` is also its input.
        var isTerminal: Bool
    }

    var pid: pid_t
    var place: StandardStreamsPlan.Place
    /// In a session, the descriptor that tells the command's changes; see `SpawnRequest.Session`.
    var reports: Int32?
    var leader: pid_t?
    var terminal: PseudoTerminal?
    var streams: [Stream]
    /// Set if the command is an ssh.
    var connection: ConnectionGuard?

    var leadsGroup: Bool { place != .ourGroup }

    /// Starts a command with its streams as the plan says.
    ///
    /// - Throws: Why the command cannot be started, or that no descriptor is left.
    static func start(
        _ request: SpawnRequest,
        plan: StandardStreamsPlan
    ) throws(StartError) -> StartedCommand {
        var ours: [Int32] = []
        var theirs: [Int32] = []
        defer { for descriptor in theirs { close(descriptor) } }
        do throws(StartError) {
            var request = request
            var terminal: PseudoTerminal?
            var otherSide: Int32?
            if plan.output == .terminal || plan.error == .terminal {
                // Like the terminal of ours for which it stands.
                let model = plan.output == .terminal ? STDOUT_FILENO : STDERR_FILENO
                let made = try PseudoTerminal(like: model)
                ours.append(made.descriptor)
                terminal = made
                if plan.place != .session { made.leaveOutputAsItIs() }
                if !plan.place.isSession {
                    let side = try made.openOtherSide()
                    theirs.append(side)
                    otherSide = side
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
                    let pipe = try Pipe(isLarge: !plan.isOneOfMany)
                    ours.append(pipe.reading)
                    theirs.append(pipe.writing)
                    streams.append(Stream(source: pipe.reading, target: own, isTerminal: false))
                    return pipe.writing
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
            return command
        } catch {
            for descriptor in ours { close(descriptor) }
            throw error
        }
    }
}

extension StandardStreamsPlan.Facts {
    /// The facts as they are now.
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
