import ArgumentParser
import Dispatch
import ProcessControl
import ProgressBus

/// `progressbus report`: JSON Lines on standard input become tasks on the bus.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reads JSON Lines from standard input and reports them as tasks.",
        discussion: """
            One JSON object per line. You choose the ids. For example:

              {"op":"begin","id":"a","title":"Encode","total":100,"unit":"frames"}
              {"op":"advance","id":"a","by":3}
              {"op":"end","id":"a","state":"succeeded"}

            The operations are begin, update, advance, end, ticket, redeem, log and sync. Tickets, \
            answers to sync and requests of viewers (cancel, pause, resume) are printed on \
            standard output. If a line is wrong, a message on standard error says what is wrong, \
            and the next lines are read. A title that says nothing, such as "working", is warned of.

            Exit codes: 0; 65 lines were wrong; 75 endings were not acknowledged within 5 s.
            """
    )

    @Option(help: "Begin a task with this title for the whole input; its id is root.")
    var title: String?

    @Option(help: "How tasks end that are still running when the input ends.")
    var finish = ReportOperation.EndState.failed

    @Flag(help: "Print cancel requests for the task of --title.")
    var cancellable = false

    @Flag(help: "Print pause and resume requests for the task of --title.")
    var pausable = false

    @OptionGroup var endpoint: EndpointOptions

    private static let longestLine = 1 << 20

    func run() async throws {
        _ = try endpoint.resolve()
        var configuration = BusConfiguration(
            endpoint: endpoint.endpoint,
            program: "progressbus report"
        )
        // The author of a script has no debug build that would give these warnings.
        configuration.warnsOfMistakes = true
        let bus = BusClient(configuration)
        // First, because it changes the environment, which other threads might read.
        var options = ReportOperation.Options()
        options.task.isCancellable = cancellable
        options.task.isPausable = pausable
        let root =
            bus.redeemInherited(title, options: options.task)
            ?? title.map { bus.beginJob($0, options: options.task) }
        await endpoint.ensureBrokerOrComplain()
        async let _ = endpoint.keepBroker()
        var interpreter = ReportInterpreter(bus: bus, root: root, options: options)
        let badLines = await Self.interpret(with: &interpreter)
        interpreter.finish(finish, isRootImplied: title == nil)
        let isAcknowledged = await bus.close(timeout: .seconds(5))

        guard badLines == 0 else {
            throw CommandFailure(
                .dataError,
                "\(badLines) of the lines could not be used; see the messages above"
            )
        }
        guard isAcknowledged else {
            throw CommandFailure(
                .temporaryFailure,
                "no broker acknowledged the endings within 5 s; see `progressbus doctor`"
            )
        }
    }

    /// Carries out everything on standard input; returns how many lines were bad.
    private static func interpret(with interpreter: inout ReportInterpreter) async -> Int {
        let queue = DispatchQueue(label: "progressbus.standard-input")
        var splitter = LineSplitter(limit: longestLine)
        while true {
            // On a queue, because a thread of Swift's cooperative pool must not block.
            let bytes: [UInt8] = await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: readBytes(from: STDIN_FILENO, upTo: 65_536) ?? []
                    )
                }
            }
            let lines = bytes.isEmpty ? splitter.finish().map { [$0] } ?? [] : splitter.feed(bytes)
            for line in lines {
                await interpreter.accept(line)
            }
            if bytes.isEmpty { return interpreter.badLines }
        }
    }
}

extension ReportOperation.EndState: ExpressibleByArgument {}
