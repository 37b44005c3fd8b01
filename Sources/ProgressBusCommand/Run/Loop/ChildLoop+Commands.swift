import ProcessControl
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

/// How commands begin and end.
extension ChildLoop {
    /// Takes a command that was started.
    mutating func add(
        _ started: StartedCommand,
        as task: ProgressTask,
        number: Int = 0,
        argument: SystemString? = nil,
        host: Int? = nil,
        reader: OutputReader?
    ) {
        var streams: [CommandStream] = []
        for stream in started.streams {
            let merger =
                mergers[stream.target]
                ?? OutputMerger(to: OutputSink(stream.target), keepsLines: batch != nil)
            mergers[stream.target] = merger
            let name = 2 * number + streams.count
            streams.append(CommandStream(stream, number: name, merger: merger))
        }
        if started.place == .session { keyboard = started.terminal.map { Keyboard(for: $0) } }
        let sharesTerminal = started.place == .ourGroup
        running.append(
            RunningCommand(
                started,
                number: number,
                argument: argument,
                host: host,
                machine: ChildSupervisor(
                    grace: rules.grace,
                    patience: rules.isElsewhere ? RunRules.patienceElsewhere : 0,
                    sharesTerminal: sharesTerminal
                ),
                task: task,
                reader: reader,
                lastLines: rules.keepsTail ? LastLines() : nil,
                streams: streams
            )
        )
    }

    /// Starts as many as may run now.
    mutating func startMore() {
        while let batch, running.count < batch.jobs, !batch.isHeld, !isSuspending,
            let argument = batch.source.take()
        {
            if !start(argument) { break }
        }
        batch?.tellTotal()
    }

    /// False where it must wait for another one to end.
    private mutating func start(_ argument: SystemString) -> Bool {
        guard var batch else { return false }
        defer { self.batch = batch }
        let place = batch.hosts?.take()
        guard batch.hosts == nil || place != nil else {
            batch.source.giveBack(argument)
            return false
        }
        let number = batch.newNumber()
        let task = batch.beginTask(for: argument)
        // Before it runs: who sees it on the bus may ask at once. Requests wait until it does.
        services.passOnRequests(of: task, number: number, isPausable: batch.isPausable)
        do throws(CommandStartError) {
            let started = try batch.start(argument, as: task, on: place?.shell)
            // The choice was tried before anything began.
            let reader = try? OutputReader(choice: rules.choice)
            add(
                started,
                as: task,
                number: number,
                argument: argument,
                host: place?.host,
                reader: reader
            )
        } catch {
            if let place { _ = batch.hosts?.giveBack(place.host, isReached: true) }
            if error.isForNow, !running.isEmpty {
                task.endCancelled("no room for another process; begun again later")
                batch.source.giveBack(argument)
                return false
            }
            task.fail(error.sentence)
            batch.failures.add(argument, status: error.status, why: error.sentence)
        }
        batch.begun += 1
        return true
    }

    /// Ends the tasks of commands that have ended.
    mutating func collect() {
        // What one that runs alone has printed may be lost until the last byte of it is written.
        guard batch != nil || !mergers.values.contains(where: \.wantsToWrite) else { return }
        // Asked once of each: what the command has started may end at any moment.
        let done = running.filter(isDone)
        for command in done {
            guard let end = command.end else { continue }
            command.finishReading()
            var ending = command.machine.ending(end, at: .present)
            var why = ending == .cancelled("") ? "cancelled" : end.sentence
            // To the command it looks as if nobody read any more. Which of many had printed what was
            // lost, nobody knows.
            let isLost = end == .signalled(SIGPIPE) || end == .exited(0) && batch == nil
            if let failure, isLost, !ending.isCancelled {
                ending = .failed(failure)
                why = failure
                command.lastLines = nil
            }
            // Of ssh it says that there was no connection.
            let isSevered = rules.isElsewhere && ending.isCancelled
            lastEnd =
                isSevered && end == .exited(RemoteShell.notReached) ? .signalled(SIGTERM) : end
            if let host = command.host, let argument = command.argument {
                let isReached = end != .exited(RemoteShell.notReached) || ending.isCancelled
                batch?.returned(from: host, argument, isReached: isReached)
                // Its work is begun again elsewhere, as another task.
                guard isReached else {
                    command.task.task.withdraw()
                    continue
                }
            }
            command.task.end(ending, lastLines: command.lastLines?.lines() ?? [])
            if let argument = command.argument, ending != .succeeded {
                batch?.failures.add(argument, status: end.shellStatus, why: why)
            }
        }
        running.removeAll { command in done.contains { $0 === command } }
    }

    private func isDone(_ command: RunningCommand) -> Bool {
        command.isRead && (isLeaving || !command.isClearing)
    }
}
