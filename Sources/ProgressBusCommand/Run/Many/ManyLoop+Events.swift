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

extension ManyLoop {
    mutating func takeSignals() {
        let (byProcess, byTerminal) = intake.take()
        let signals = SignalSet(bits: byProcess.bits | byTerminal.bits)
        for signal in signals.numbers {
            switch signal {
            case SIGCHLD:
                for command in running {
                    for change in command.takeChanges() { take(change, of: command) }
                }
            case SIGWINCH: break
            case SIGTSTP:
                guard !isSuspending else { break }
                isSuspending = true
                for command in running { command.send(SIGTSTP) }
                showStopped()
                flush()
            case SIGINT, SIGTERM, SIGHUP, SIGQUIT:
                stop(by: signal)
                asked.isInterrupted = asked.isInterrupted || signal == SIGINT || signal == SIGQUIT
                for command in running {
                    let actions = command.machine.received(signal, byTerminal: false, at: .present)
                    carryOut(actions, on: command)
                }
                // Where nobody reads, the last words would keep us.
                if running.isEmpty {
                    output.close()
                    error.close()
                }
            case SIGUSR1, SIGUSR2:
                for command in running { command.sendAlone(signal) }
            default:
                for command in running { command.send(signal) }
            }
        }
    }

    mutating func takeLetters() {
        for letter in mailbox.take() {
            switch letter {
            case .request(let request, of: 0): ask(request)
            case .request(let request, of: let number):
                guard let command = running.first(where: { $0.number == number }) else { break }
                carryOut(command.machine.asked(request, at: .present), on: command)
            case .reported(let task):
                guard let command = running.first(where: { $0.task.task.id == task }) else { break }
                command.reader?.stop()
                command.task.forget()
            case .flushed:
                intake.suspendGroup()
                isSuspending = false
                for command in running { command.send(SIGCONT) }
                showContinued()
            }
        }
    }

    /// Says that nobody works here, ourselves included: also of a command that does not stop, as
    /// nobody minds it meanwhile.
    func showStopped() {
        for command in running { command.task.pause() }
        parent.pause()
        parent.setDetail(ChildTask.stoppedWords)
    }

    func showContinued() {
        if !asked.isPaused { parent.resume() }
        parent.setDetail("")
        for command in running { command.task.resume() }
    }

    /// Begins no more.
    mutating func stop(by signal: Int32) {
        if !asked.isStopping, !source.isEmpty { failures.raise(to: 128 + signal) }
        asked.isStopping = true
    }

    /// Of all of them; each that runs is asked itself too.
    mutating func ask(_ request: ChildSupervisor.Request) {
        switch request {
        case .cancel:
            asked.isStopping = true
            asked.isCancelled = true
        case .pause:
            asked.isPaused = true
            parent.pause()
        case .resume:
            asked.isPaused = false
            parent.resume()
        }
    }

    func take(_ change: ProcessChange, of command: RunningCommand) {
        switch change {
        case .ended: break
        case .stopped(let signal): carryOut(command.machine.stopped(by: signal), on: command)
        case .continued: carryOut(command.machine.continued(), on: command)
        }
    }

    func carryOut(_ actions: [ChildSupervisor.Action], on command: RunningCommand) {
        for action in actions {
            switch action {
            case .send(let signal): command.send(signal)
            case .showPaused(true): command.task.pause()
            case .showPaused(false): command.task.resume()
            // Only Ctrl-Z to all of them stops us.
            case .stopOurselves: break
            }
        }
    }
}
