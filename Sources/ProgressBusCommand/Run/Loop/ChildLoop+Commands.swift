import ArgumentParser
import ProcessControl
import OutputReading
import ProgressBus
import TaskTree

/// How commands begin and end.
extension ChildLoop {
    /// Takes a command that was started.
    mutating func add(
        _ started: StartedCommand,
        as task: ProgressTask,
        of place: Batch.Place? = nil,
        reader: OutputReader?
    ) {
        var streams: [CommandStream] = []
        for stream in started.streams {
            let merger =
                mergers[stream.target]
                ?? OutputMerger(to: OutputSink(stream.target), keepsLines: batch != nil)
            mergers[stream.target] = merger
            let name = 2 * (place?.number ?? 0) + streams.count
            streams.append(CommandStream(stream, number: name, merger: merger))
        }
        if started.place == .session { keyboard = started.terminal.map { Keyboard(for: $0) } }
        running.append(
            RunningCommand(
                started,
                as: task,
                of: place,
                rules: rules,
                reader: reader,
                streams: streams
            )
        )
    }

    /// Starts as many commands as may run now.
    mutating func startMore() {
        while let batch, running.count < batch.jobs, !batch.isHeld, !isSuspending,
            let argument = batch.source.take()
        {
            if !start(argument) { break }
        }
        batch?.tellTotal()
    }

    /// Starts a command; returns false if it must wait for another one to end.
    private mutating func start(_ argument: SystemString) -> Bool {
        guard var batch else { return false }
        defer { self.batch = batch }
        let host = batch.hosts?.take()
        guard batch.hosts == nil || host != nil else {
            batch.source.giveBack(argument)
            return false
        }
        let place = batch.place(for: argument, on: host)
        let task = batch.beginTask(at: place)
        // Before it runs: a viewer may send a request at once, which then waits in the mailbox.
        bus.passOnRequests(of: task, number: place.number, isPausable: batch.isPausable)
        do throws(CommandStartError) {
            let started = try batch.start(argument, as: task, on: host?.shell)
            // Does not fail here: `RunOptions` has made a reader of this choice before.
            add(started, as: task, of: place, reader: try? OutputReader(choice: rules.choice))
        } catch {
            if let host { _ = batch.hosts?.giveBack(host.host, isReached: true) }
            if error.isForNow, !running.isEmpty {
                task.endCancelled("no room for another process; begun again later")
                batch.source.giveBack(argument)
                return false
            }
            task.fail(error.sentence)
            batch.failures.add(place.title, status: error.status, why: error.sentence)
        }
        batch.begun += 1
        return true
    }

    /// Ends the tasks of commands that have ended.
    mutating func collect() {
        // A single command's output is written first, because its task fails if that fails.
        guard batch != nil || !mergers.values.contains(where: \.wantsToWrite) else { return }
        // Evaluated once for each command, as the answer may change at any moment.
        let done = running.filter(isDone)
        for command in done {
            guard var end = command.end else { continue }
            command.finishReading()
            var ending = command.machine.ending(end, at: .present)
            // The command was to end: this process has killed ssh, or ssh has lost the connection.
            let isCut = end == .signalled(SIGKILL) || end == .exited(RemoteShell.notReached)
            if rules.isElsewhere, isCut, command.machine.isEnding || ending.isCancelled {
                // The signal by which a command on this machine would have ended.
                let isInterrupted = ending == .cancelled(ChildSupervisor.interruptedWords)
                end = .signalled(isInterrupted ? SIGINT : SIGTERM)
                ending = command.machine.ending(end, at: .present)
            }
            var why = ending == .cancelled("") ? "cancelled" : end.sentence
            var status = end.shellStatus
            // A command whose output cannot be written gets SIGPIPE, or ends before it notices.
            // With many commands it is not known whose output was lost.
            let isLost = end == .signalled(SIGPIPE) || end == .exited(0) && batch == nil
            if let failure, isLost, !ending.isCancelled {
                ending = .failed(failure)
                (why, status) = (failure, ExitCode.outputLost.rawValue)
                command.lastLines = nil
            }
            lastEnd = end
            if let place = command.place, let host = place.host {
                let isReached = end != .exited(RemoteShell.notReached)
                batch?.returned(from: host, place.argument, isReached: isReached)
                // The same argument runs again as another task, perhaps on another machine.
                guard isReached else {
                    command.task.task.withdraw()
                    continue
                }
            }
            command.task.end(ending, lastLines: command.lastLines?.lines() ?? [])
            if let place = command.place, ending != .succeeded {
                batch?.failures.add(
                    place.title,
                    status: status,
                    why: why,
                    isCancelled: ending.isCancelled
                )
            }
        }
        running.removeAll { command in done.contains { $0 === command } }
    }

    private func isDone(_ command: RunningCommand) -> Bool {
        command.isRead && (isLeaving || !command.isClearing && !command.awaitsHearing)
    }
}
