import ArgumentParser
import Foundation
import ProgressBus

/// `progressbus demo`: real work by several processes, watched live.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Checksums every file below a directory with several processes, watched live.",
        discussion: """
            Each worker is a process of its own and gets a ticket for its part of the job. The \
            result is a file that sha256sum --check accepts. Files that cannot be read, or that \
            change while they are read, are named and left out.

            On a terminal it opens the dashboard; q closes that and the work goes on, with plain \
            lines.

            Exit codes: 0; 1 if a worker died (its files are named); 73 if the result cannot be \
            written; 130 after SIGINT or a cancel from the bus, 143 after SIGTERM, 141 if nobody \
            reads the output: then nothing is written.
            """
    )

    @Argument(
        help: "The directory; without it, one with some thousand files.",
        completion: .directory
    )
    var directory: String?

    @Option(help: "Number of worker processes; without it, one per processor, at least 2.")
    var workers: Int?

    @Option(
        help: "The file to write; without it, one in the temporary directory.",
        completion: .file()
    )
    var output: String?

    @Flag(help: "Plain lines instead of the dashboard, also on a terminal.")
    var plain = false

    @Option(help: "How many levels below the job are printed.")
    var depth = 2

    @Flag(help: "Do the same work without the bus.")
    var noReport = false

    @OptionGroup var endpoint: EndpointOptions

    static let mostWorkers = 256

    func validate() throws {
        if let workers, !(1...Self.mostWorkers).contains(workers) {
            throw ValidationError("--workers must be 1 to \(Self.mostWorkers).")
        }
        guard (0...64).contains(depth) else {
            throw ValidationError("--depth must be 0 to 64.")
        }
    }

    func run() async throws {
        if !noReport { _ = try endpoint.resolve() }
        let source = try DemoSource.directory(directory)
        let file = try ChecksumFile(output)
        let count =
            workers ?? min(max(ProcessInfo.processInfo.activeProcessorCount, 2), Self.mostWorkers)
        let stop = try StopSignal()
        let signals = stop.watchSignals()
        defer { withExtendedLifetime(signals) {} }
        let demo = Demo(source: source, file: file, workers: count, stop: stop)

        if noReport {
            try await demo.run(reportingTo: nil)
            return
        }
        let report = DemoReport(
            endpoint: endpoint.endpoint,
            title: "Checksum \(source.text)",
            workers: count,
            stop: stop
        )
        do {
            try await endpoint.ensureBroker()
        } catch {
            StandardStreams.complain("\(error); going on without one until there is")
        }
        async let _ = endpoint.keepBroker()
        let display = DemoDisplay(
            endpoint: endpoint.endpoint,
            job: report.job.id,
            depth: depth,
            stop: stop,
            dashboard: dashboard(on: report.job.id)
        )
        display.begin()
        try await demo.run(reportingTo: report, showing: display)
    }

    /// What shows the job; `nil` for plain lines.
    private func dashboard(on job: TaskID) -> WatchDashboard? {
        let environment = ProcessInfo.processInfo.environment
        let face = OutputMode.choose(
            json: false,
            plain: plain,
            environment: environment,
            isTerminal: isatty(STDOUT_FILENO) == 1
        )
        guard face == .dashboard else { return nil }
        let look = DashboardEnvironment(environment: environment)
        return WatchDashboard(bus: endpoint, look: look, job: "id:\(job)")
    }
}
