import ArgumentParser
import BusProtocol
import OutputReading
import ProcessControl

/// `progressbus ssh`: runs a command on another machine as a task of this one.
struct SSHCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Runs a command on another machine and shows its progress here.",
        discussion: """
            As `progressbus run`, on a machine that ssh reaches. Its output comes here and is read \
            here, so that nothing of ProgressBus is needed there. What reports there, with a \
            library, `progressbus report` or `progressbus run`, reports to the bus here, below \
            this task. On a bus with keys it may only report, and no key leaves this machine.

              progressbus ssh render-1 -- make -j8
              progressbus ssh ann@render-1 -p 2222 -- rsync -a photos/ backup/

            If its task is cancelled, or the connection ends before the command, the command and \
            what it has started there get SIGTERM, and SIGKILL at most 10 seconds later; what is \
            cancelled and reports has two seconds to end by itself first. What ends with 0 by then \
            and has heard nothing of it has succeeded. It cannot be paused.

            Exit codes: as of `progressbus run`; 255 if ssh could not connect.
            """
    )

    @OptionGroup var options: RunOptions

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp(
            "The machine, options of ssh, \"--\", the command and its arguments.",
            valueName: "host [options of ssh] -- command"
        )
    )
    var words: [String] = []

    func validate() throws {
        if let first = words.first, first == "--help" || first == "-h" {
            throw CleanExit.helpRequest(Self.self)
        }
        guard let host = words.first, let end = words.firstIndex(of: "--"), end > 0,
            end + 1 < words.count
        else {
            throw ValidationError(
                "Say where to run which command: progressbus ssh HOST -- COMMAND…"
            )
        }
        do {
            _ = try RemoteBus(machine: host)
        } catch {
            throw ValidationError(error.sentence)
        }
        if let sentence = SSHOptions.mistake(in: words[1..<end]) {
            throw ValidationError(sentence)
        }
    }

    func run() async throws {
        let command = Array(words.drop { $0 != "--" }.dropFirst())
        // As they were typed, byte for byte.
        let typed = InheritedContext.lastArguments(words.count)
        let host = typed.prefix(words.count - command.count - 1)
        var run = CommandAsTask(options: options, rules: try options.rules(for: command))
        let bus = try options.endpoint.resolve().endpoint
        let relay = try ReportRelay(to: bus)
        defer { relay?.close() }
        do {
            run.rules.patience = RemoteShell.patience(for: bus)
            run.shell = RemoteShell(
                machine: try RemoteBus(machine: words[0]),
                options: Array(host.dropFirst()),
                bus: relay?.endpoint ?? bus
            )
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
        let need = TerminalRequirement(of: CommandWords(command))
        throw ExitCode(try await run.once(Array(typed.suffix(command.count)), need: need))
    }
}
