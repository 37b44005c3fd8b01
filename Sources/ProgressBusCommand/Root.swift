import ArgumentParser
import DashboardCore
import ZeroMQ

/// The executable `progressbus`.
@main
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "progressbus",
        abstract: "Shows the progress of many processes as one tree.",
        discussion: """
              progressbus demo                  see it work
              progressbus run -- make -j8       run a command and show its progress
              progressbus watch                 look at all jobs, in another terminal

            Programs report their tasks to a broker on this machine, which starts by itself. \
            Reporting never slows, blocks or fails the work. `man progressbus` has more, `man \
            progressbus-run` and so on explain each command.
            """,
        version: VersionCommand.text,
        subcommands: [DemoWorkerCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Look",
                subcommands: [WatchCommand.self, StatusCommand.self, WaitCommand.self]
            ),
            CommandGroup(
                name: "Run and report",
                subcommands: [
                    RunCommand.self, SSHCommand.self, BeginCommand.self, UpdateCommand.self,
                    AdvanceCommand.self, EndCommand.self, ReportCommand.self,
                ]
            ),
            CommandGroup(
                name: "Control",
                subcommands: [
                    CancelCommand.self, PauseCommand.self, ResumeCommand.self, DismissCommand.self,
                ]
            ),
            CommandGroup(
                name: "Share with other machines",
                subcommands: [
                    InviteCommand.self, JoinCommand.self, MembersCommand.self, RevokeCommand.self,
                    RenewCommand.self, BusCommand.self,
                ]
            ),
            CommandGroup(
                name: "Set up",
                subcommands: [
                    DemoCommand.self, BrokerCommand.self, DoctorCommand.self, VersionCommand.self,
                ]
            ),
        ]
    )

    /// Runs the command that the arguments name and ends the process with its code.
    ///
    /// A command that is not asynchronous runs on this thread, not on one of Swift's own threads.
    static func main() {
        StandardStreams.ignoreBrokenPipes()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do throws(CommandFailure) {
            try requireDescriptors()
            try requireCommand(arguments.first)
        } catch {
            end { throw error }
        }
        if isOfThisThread(arguments.first) {
            end {
                var command = try parseAsRoot()
                try command.run()
            }
        }
        waitForAnswer {
            do {
                let command = try await asyncParseAsRoot()
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    var command = command
                    try command.run()
                }
                exit(withError: nil)
            } catch {
                end { throw error }
            }
        }
    }

    /// Whether the command is not asynchronous, or a shell asks for completions.
    private static func isOfThisThread(_ name: String?) -> Bool {
        if name == "---completion" { return true }
        let type = configuration.subcommands.first { $0._commandName == name }
        return type.map { !($0 is any AsyncParsableCommand.Type) } ?? false
    }

    /// Runs `body` and ends the process with the exit code that fits how `body` ended.
    private static func end(_ body: () throws -> Void) -> Never {
        do {
            try body()
            exit(withError: nil)
        } catch is OutputClosed {
            exit(withError: ExitCode.success)
        } catch let failure as CommandFailure {
            StandardStreams.complain(failure.sentence)
            exit(withError: failure.code)
        } catch {
            exit(withError: error)
        }
    }

    /// Throws if the word is no command, and names the command that was perhaps meant.
    private static func requireCommand(_ word: String?) throws(CommandFailure) {
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        guard let word, !word.hasPrefix("-"), !names.contains(word) else { return }
        let misspelling = Misspelling(word)
        let guess = misspelling.nearest(of: names).map { "; did you mean \"\($0)\"?" } ?? "."
        throw CommandFailure(
            .usage,
            "there is no command \"\(PlainText.clean(misspelling.shown))\"\(guess) "
                + "`progressbus --help` lists all"
        )
    }

    /// Throws if too few descriptors are left: Swift's own threads would end the process silently.
    private static func requireDescriptors() throws(CommandFailure) {
        do throws(ZeroMQError) {
            try DescriptorLimit.requireRoom(for: 4)
        } catch {
            throw CommandFailure(.cannotCreate, error.description)
        }
    }
}
