import ProcessControl
import OutputReading
import ProgressBus
import TaskTree

/// How the loop handles signals, requests and changes of the commands.
extension ChildLoop {
    mutating func takeSignals() {
        let (byProcess, byTerminal) = bus.intake.take()
        for (signals, isByTerminal) in [(byProcess, false), (byTerminal, true)] {
            for signal in signals.numbers { take(signal, byTerminal: isByTerminal) }
        }
    }

    private mutating func take(_ signal: Int32, byTerminal: Bool) {
        if signal == SIGTSTP { stopsAlone = !byTerminal }
        if signal == SIGCONT { keyboard?.takeAgain() }
        switch signal {
        case SIGCHLD:
            for command in running where command.started.reports == nil { takeChanges(of: command) }
        case SIGWINCH:
            for command in running { command.resize() }
        case SIGUSR1, SIGUSR2:
            if !byTerminal { for command in running { command.sendAlone(signal) } }
        case SIGTSTP where batch != nil:
            // The commands of a batch are in groups of their own, which the terminal does not stop.
            for command in running { command.send(SIGTSTP) }
            suspend()
        default:
            let isEnd = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal)
            if isEnd { batch?.stop(by: signal) }
            if isEnd, running.allSatisfy({ $0.end != nil }) { leave() }
            for command in running where command.end == nil {
                carryOut(
                    command.machine.received(signal, byTerminal: byTerminal, at: .present),
                    on: command
                )
            }
        }
    }

    /// Gives up the output that cannot be written now, because all commands have ended.
    private mutating func leave() {
        isLeaving = true
        for merger in mergers.values { merger.close() }
        closeUnread()
    }

    mutating func takeEvents() {
        for event in bus.mailbox.take() {
            switch event {
            case .request(let request, of: let number):
                if number == 0 { batch?.ask(request) }
                for command in running where (command.place?.number ?? 0) == number {
                    // First takes what the leader of the command's session has reported by now.
                    takeChanges(of: command)
                    let hasEnded = command.hasEnded
                    carryOut(
                        command.machine.asked(request, at: .present, hasEnded: hasEnded),
                        on: command
                    )
                }
            case .reported(let task):
                // The task of a command that runs alone may have the id of a ticket.
                for command in running where batch == nil || command.task.task.id == task {
                    command.reader?.stop()
                    command.task.forget()
                }
            case .heard(let isHeard, of: let task):
                for command in running where command.task.task.id == task {
                    if !isHeard { command.machine.forgetCancel() }
                    command.awaitsHearing = false
                }
            case .flushed:
                goOn()
            }
        }
    }

    mutating func takeChanges(of command: RunningCommand) {
        for change in command.takeChanges() {
            switch change {
            case .ended(.exited(0)) where command.machine.isCancelUncertain:
                command.awaitsHearing = true
                bus.findReporters(below: command.task.task.id)
            case .ended: break
            case .stopped(let signal): carryOut(command.machine.stopped(by: signal), on: command)
            case .continued: carryOut(command.machine.continued(), on: command)
            }
        }
    }

    mutating func carryOut(_ actions: [ChildSupervisor.Action], on command: RunningCommand) {
        for action in actions {
            switch action {
            case .send(let signal): command.send(signal)
            case .tellOfCancel: command.started.connection?.tellOfCancel()
            case .showPaused(true): command.task.pause()
            case .showPaused(false): command.task.resume()
            // In a batch, only Ctrl-Z stops this process, and no command that stops does.
            case .stopOurselves: if batch == nil { suspend() }
            }
        }
    }

    /// Reports all commands as stopped; `goOn` stops this process when that is sent.
    ///
    /// A command that ignores the stop is shown as stopped too: nothing reads its output meanwhile.
    private mutating func suspend() {
        guard !isSuspending else { return }
        tellTick()
        isSuspending = true
        keyboard?.giveBack()
        for command in running { command.task.showStopped() }
        batch?.showStopped()
        bus.flush()
    }

    /// Stops this process after the bus has been told; SIGCONT makes it continue from here.
    private mutating func goOn() {
        guard isSuspending else { return }
        bus.intake.suspendGroup(isAlone: stopsAlone)
        stopsAlone = false
        isSuspending = false
        batch?.showContinued()
        keyboard?.takeIfForeground()
        for command in running {
            command.task.showContinued()
            command.resize()
            command.send(SIGCONT)
        }
        wantTick()
    }
}
