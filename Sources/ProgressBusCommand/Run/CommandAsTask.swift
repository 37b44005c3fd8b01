import ArgumentParser
import ProcessControl
import OutputReading
import ProgressBus

/// Runs a command as a task, once or for each of many arguments.
struct CommandAsTask: Sendable {
    let options: RunOptions
    var rules: RunRules
    /// The other machine where the command runs, if it does not run here.
    var shell: RemoteShell?

    /// How long the end waits for a broker to have the ending; an absent broker gets it later.
    private static let patience = Duration.seconds(1)
    private static let patienceForMany = Duration.seconds(2)

    /// Runs a command once; returns its exit status.
    ///
    /// - Throws: `CommandFailure` where signals cannot be watched for.
    func once(_ words: [SystemString], need: TerminalRequirement) async throws -> Int32 {
        let (starter, bus) = try begin(words + (shell?.place ?? []))
        let task = bus.task
        let started: StartedCommand
        do {
            started = try start(words, need: need, as: task, by: starter)
        } catch {
            task.fail(error.sentence)
            StandardStreams.complain(error.sentence)
            bus.join()
            await bus.leave(within: Self.patience)
            return error.status
        }
        // The broker starts beside the command and never delays it.
        bus.join()
        let reader = try OutputReader(choice: rules.choice)
        let (end, hasLostOutput, isTyped) = await onOwnThread("progressbus-run") { [rules] in
            var loop = ChildLoop(bus, rules: rules)
            loop.add(started, as: task, reader: reader)
            loop.run()
            return (loop.lastEnd, loop.failure != nil, loop.isInterruptTyped)
        }
        await bus.leave(within: Self.patience)
        if end == .signalled(SIGINT) { SignalPipe.endByInterrupt(withGroup: isTyped) }
        let status = end?.shellStatus ?? 0
        // The command cannot know of lost output, and our caller must not take the output for
        // complete.
        return status == 0 && hasLostOutput ? ExitCode.outputLost.rawValue : status
    }

    /// Begins the task of a command, before the command starts.
    private func begin(
        _ words: [SystemString]
    ) throws(CommandFailure) -> (starter: CommandStarter, bus: RunBus) {
        InheritedContext.fillStandardDescriptors()
        let starter = CommandStarter(endpoint: options.endpoint.endpoint)
        // Stopping ssh does not stop the command on the other machine.
        let isPausable = !rules.isElsewhere
        let bus = try RunBus(
            options,
            command: words,
            as: TaskOptions(
                isCancellable: true,
                isPausable: isPausable,
                host: shell?.host ?? ""
            )
        )
        // A viewer may send a request at once; it waits in the mailbox until the command runs.
        bus.passOnRequests(of: bus.task, number: 0, isPausable: isPausable)
        return (starter, bus)
    }

    private func start(
        _ words: [SystemString],
        need: TerminalRequirement,
        as task: ProgressTask,
        by starter: CommandStarter
    ) throws(CommandStartError) -> StartedCommand {
        var facts = StandardStreamsPlan.Facts.present(isRead: rules.choice != .none)
        facts.need = need
        let plan = StandardStreamsPlan(facts)
        do {
            return try starter.start(words, as: task.id, plan: plan, on: shell)
        } catch {
            // No pseudoterminal is left: better to run the command unread than not at all.
            guard plan.output == .terminal || plan.error == .terminal else { throw error }
            let unread = StandardStreamsPlan(.present(isRead: false))
            return try starter.start(words, as: task.id, plan: unread, on: shell)
        }
    }

    /// Runs a command for each argument; returns the highest exit status.
    ///
    /// `jobs` commands run at a time on this machine, or as many as `hosts` has slots.
    ///
    /// - Throws: `CommandFailure` where signals cannot be watched for.
    func many(
        _ template: ArgumentTemplate,
        jobs: Int,
        on hosts: HostPool?,
        isNulSeparated: Bool
    ) async throws -> Int32 {
        let (starter, bus) = try begin(template.words)
        bus.join()
        let (status, lines, isInterrupted) = await onOwnThread("progressbus-run") { [rules] in
            let batch = Batch(
                template,
                source: ArgumentSource(template.arguments, isNulSeparated: isNulSeparated),
                jobs: jobs,
                hosts: hosts,
                parent: bus.task,
                starter: starter
            )
            var loop = ChildLoop(bus, rules: rules, batch: batch)
            loop.run()
            let over = loop.batch
            return (over?.failures.status ?? 0, over?.lines ?? [], over?.isInterrupted == true)
        }
        for line in lines { StandardStreams.complain(line) }
        await bus.leave(within: Self.patienceForMany)
        if isInterrupted, status == ExitCode.interrupted.rawValue {
            SignalPipe.endByInterrupt(withGroup: false)
        }
        return status
    }
}
