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
        let host = batch.hosts?.take()
        guard batch.hosts == nil || host != nil else {
            batch.source.giveBack(argument)
            return false
        }
        let place = batch.place(for: argument, on: host?.host)
        let task = batch.beginTask(for: argument)
        // Before it runs: who sees it on the bus may ask at once. Requests wait until it does.
        services.passOnRequests(of: task, number: place.number, isPausable: batch.isPausable)
        do throws(CommandStartError) {
            let started = try batch.start(argument, as: task, on: host?.shell)
            // The choice was tried before anything began.
            add(started, as: task, of: place, reader: try? OutputReader(choice: rules.choice))
        } catch {
            if let host { _ = batch.hosts?.giveBack(host.host, isReached: true) }
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
            if let place = command.place, let host = place.host {
                let isReached = end != .exited(RemoteShell.notReached) || ending.isCancelled
                batch?.returned(from: host, place.argument, isReached: isReached)
                // Its work is begun again elsewhere, as another task.
                guard isReached else {
                    command.task.task.withdraw()
                    continue
                }
            }
            command.task.end(ending, lastLines: command.lastLines?.lines() ?? [])
            if let place = command.place, ending != .succeeded {
                batch?.failures.add(place.argument, status: end.shellStatus, why: why)
            }
        }
        running.removeAll { command in done.contains { $0 === command } }
    }

    private func isDone(_ command: RunningCommand) -> Bool {
        command.isRead && (isLeaving || !command.isClearing)
    }
}
