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
    mutating func startMore() {
        while running.count < jobs, !asked.isStopping, !isHeld, let argument = source.take() {
            if !start(argument) { return }
        }
    }

    /// False where it must wait for another one to end.
    mutating func start(_ argument: SystemString) -> Bool {
        let options = TaskOptions(isCancellable: true, isPausable: true)
        let title = argument.bytes.isEmpty ? "(empty)" : argument.text
        let task = parent.beginChild(title, share: 1, options: options)
        let number = lastNumber + 1
        // Before it runs: who sees it on the bus may ask at once. Letters wait until it does.
        let mailbox = mailbox
        task.onCancel { mailbox.put(.request(.cancel, of: number)) }
        task.onPause { mailbox.put(.request(.pause, of: number)) }
        task.onResume { mailbox.put(.request(.resume, of: number)) }
        do throws(CommandStartError) {
            let started = try starter.start(argument, parent: task.id)
            var streams: [RunningCommand.Stream] = []
            for (source, name) in started.streams {
                lastStream += 1
                let merger = name == .output ? output : error
                streams.append(
                    .init(number: lastStream, source: source, merger: merger, name: name)
                )
            }
            let command = RunningCommand(
                number: number,
                argument: argument,
                pid: started.pid,
                machine: ChildSupervisor(grace: grace, sharesTerminal: false),
                task: ChildTask(task),
                // The choice was tried before anything began.
                reader: try? OutputReader(choice: choice),
                lastLines: keepsTail ? LastLines() : nil,
                streams: streams
            )
            running.append(command)
        } catch {
            if error.isForNow, !running.isEmpty {
                task.endCancelled("no room for another process; begun again later")
                source.giveBack(argument)
                return false
            }
            task.fail(error.sentence)
            failures.add(argument, status: error.status, why: error.sentence)
        }
        lastNumber = number
        return true
    }

    /// Says how many there are once all have been read: before that nobody knows how far they are.
    mutating func tellTotal() {
        guard !asked.isStopping, source.isCounted, source.count != counted else { return }
        counted = source.count
        parent.setTotal(counted)
    }

    mutating func collect() {
        guard running.contains(where: \.isDone) else { return }
        for command in running where command.isDone {
            guard let end = command.end else { continue }
            command.tell()
            if let samples = command.reader?.finish() { command.task.take(samples) }
            let ending = command.machine.ending(end, at: .present)
            command.task.end(ending, lastLines: command.lastLines?.lines() ?? [])
            guard ending != .succeeded else { continue }
            let why = ending == .cancelled("") ? "cancelled" : end.sentence
            failures.add(command.argument, status: end.shellStatus, why: why)
        }
        running.removeAll(where: \.isDone)
    }
}
