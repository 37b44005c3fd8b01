import ChildProcesses
import OutputReading
import ProgressBus
import TaskTree

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ChildLoop {
    mutating func takeSignals() {
        let (byProcess, byTerminal) = intake.take()
        for (signals, isByTerminal) in [(byProcess, false), (byTerminal, true)] {
            for signal in signals.numbers {
                switch signal {
                case SIGCHLD: takeChange()
                case SIGWINCH: resize()
                case SIGUSR1, SIGUSR2:
                    // Most programs end by these: only the one that was meant gets them.
                    if end == nil, !isByTerminal { kill(command.pid, signal) }
                case _ where end != nil: leave(signal)
                default: carryOut(machine.received(signal, byTerminal: isByTerminal, at: .present))
                }
            }
        }
    }

    mutating func takeLetters() {
        for letter in mailbox.take() {
            switch letter {
            case .request(let request, of: _):
                guard end == nil else { break }
                carryOut(machine.asked(request, at: .present))
            case .reported:
                reader.stop()
                task.forget()
            case .flushed:
                suspend()
            }
        }
    }

    /// A child of ours, unless somebody else tells of it.
    mutating func takeChange() {
        guard command.reports == nil, end == nil else { return }
        var status: Int32 = 0
        while end == nil, waitpid(command.pid, &status, WNOHANG | WUNTRACED | WCONTINUED) > 0 {
            take(ProcessChange(waitStatus: status))
        }
    }

    mutating func takeReports() {
        guard let reports = command.reports else { return }
        while end == nil {
            var status: Int32 = 0
            let size = MemoryLayout<Int32>.size
            let count = read(reports, &status, size)
            if count == size {
                take(ProcessChange(waitStatus: status))
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                // Whoever minded the command was ended by force; the terminal goes with it.
                take(.ended(.signalled(SIGKILL)))
            }
        }
    }

    mutating func take(_ change: ProcessChange) {
        switch change {
        case .ended(let how):
            end = how
            for output in outputs { output.relay.finishReading() }
            if let leader = command.leader { collect(leader) }
        case .stopped(let signal): carryOut(machine.stopped(by: signal))
        case .continued: carryOut(machine.continued())
        }
    }

    /// The leader of the session ends by itself after its last word.
    func collect(_ leader: pid_t) {
        var status: Int32 = 0
        while waitpid(leader, &status, 0) < 0 && errno == EINTR {}
    }

    func resize() {
        guard let own = command.terminal, end == nil else { return }
        let model = command.streams.first { $0.isTerminal }?.target ?? STDOUT_FILENO
        own.takeSize(of: model)
        // In a session the terminal tells the command by itself.
        if !command.place.isSession { send(SIGWINCH) }
    }

    /// The command has ended and its last words are held up; nobody need wait for them.
    mutating func leave(_ signal: Int32) {
        guard [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal) else { return }
        isLeaving = true
        for output in outputs { output.relay.closeSink() }
    }

    mutating func carryOut(_ actions: [ChildSupervisor.Action]) {
        for action in actions {
            switch action {
            case .send(let signal): send(signal)
            case .showPaused(true): task.pause()
            case .showPaused(false): task.resume()
            case .stopOurselves:
                guard !isSuspending else { break }
                tellTick()
                isSuspending = true
                terminal?.giveBack()
                task.showStopped()
                flush()
            }
        }
    }

    func send(_ signal: Int32) {
        guard end == nil else {
            // What is left of a cancelled command's group; its number is taken as long as it is.
            let isLeft = command.leadsGroup && ProcessTree.isAlive(group: command.pid)
            if signal == SIGKILL, isLeft { kill(-command.pid, SIGKILL) }
            return
        }
        ProcessTree.send(signal, to: command.pid, leadsGroup: command.leadsGroup)
    }

    /// Stops where the command has stopped; goes on with it.
    mutating func suspend() {
        guard isSuspending else { return }
        intake.suspendGroup()
        isSuspending = false
        task.showContinued()
        terminal?.takeIfForeground()
        resize()
        send(SIGCONT)
        wantTick()
    }
}
