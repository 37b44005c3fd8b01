import ArgumentParser
import ZeroMQ

/// The executable `progressbus`.
@main
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "progressbus",
        abstract: "Shows how far the work of many processes is, as one tree.",
        discussion: """
            Processes report their tasks to a broker on this machine; any number of viewers look \
            at the tree it keeps. Reporting never slows or fails the work, and works in any \
            order of start.
            """,
        subcommands: [
            BrokerCommand.self, RunCommand.self, ReportCommand.self, StatusCommand.self,
            WatchCommand.self, BeginCommand.self, UpdateCommand.self, AdvanceCommand.self,
            EndCommand.self, CancelCommand.self, PauseCommand.self, ResumeCommand.self,
            DismissCommand.self, DoctorCommand.self, DemoCommand.self, DemoWorkerCommand.self,
            VersionCommand.self,
        ]
    )

    /// Runs the command that the arguments name and ends the process with its code.
    static func main() async {
        StandardStreams.ignoreBrokenPipes()
        do {
            try requireDescriptors()
            let command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch is OutputClosed {
            exit(withError: ExitCode.success)
        } catch let failure as CommandFailure {
            StandardStreams.complain(failure.sentence)
            exit(withError: failure.code)
        } catch {
            exit(withError: error)
        }
    }

    /// Swift's own threads end a process without a word if they find no descriptor for themselves.
    private static func requireDescriptors() throws(CommandFailure) {
        do throws(ZeroMQError) {
            try DescriptorLimit.requireRoom(for: 4)
        } catch {
            throw CommandFailure(.cannotCreate, error.description)
        }
    }
}
