import ArgumentParser
import ProcessControl
import ProgressBus

/// `progressbus demo`: real work by several processes, watched live; an example of the library.
///
/// Read it in this order: here a job is made and a ticket for each worker; `DemoWorkerCommand` is
/// what a worker does with its ticket; `DemoDisplay` follows the job as any viewer would.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows a real job: several processes checksum the files of a directory.",
        discussion: """
            Each worker is a separate process and gets a ticket for its part of the job. The \
            result is a file that sha256sum --check accepts. Files that cannot be read, or that \
            change while they are read, are named and left out.

            On a terminal it opens the dashboard; q closes the dashboard, and the work goes on \
            with plain lines.

            Exit codes: 0; 1 if a worker died (its files are named); 73 if the result cannot be \
            written; 130 after SIGINT or a cancel from the bus, 143 after SIGTERM, 141 if nobody \
            reads the output: then nothing is written.
            """
    )

    @Argument(help: "The directory; /usr/share if not given.", completion: .directory)
    var directory: String?

    @Option(
        parsing: .unconditional,
        help: "How many worker processes; if not given, one per core and at least 2."
    )
    var workers: Int?

    @Option(
        help: "The file to write; if not given, one in the temporary directory.",
        completion: .file()
    )
    var output: String?

    @Flag(help: "Print plain lines instead of the dashboard, also on a terminal.")
    var plain = false

    @Option(
        parsing: .unconditional,
        help: "How many levels below the job to print."
    )
    var depth = 2

    @Flag(help: "Do the same work without the bus.")
    var noReport = false

    @OptionGroup var endpoint: EndpointOptions

    private static let mostWorkers = 256

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
        let source = try DemoFile.directory(directory)
        let sums = try ChecksumFile(output)
        let stop = DemoStop()
        let signals = SignalWatch([SIGINT, SIGTERM]) { stop.stop(.signal($0)) }
        defer { withExtendedLifetime(signals) {} }
        let work = DemoWork(
            source: source,
            sums: sums,
            workers: workers
                ?? min(max(OwnProcess.processorCount, 2), Self.mostWorkers),
            stop: stop
        )
        guard !noReport else { return try report(try await work.run(reportingTo: nil), sums) }

        let bus = BusClient(
            BusConfiguration(endpoint: endpoint.endpoint, program: "progressbus demo")
        )
        let job = beginJob(on: bus, "Checksum \(source)", work)
        do {
            try await endpoint.ensureBroker()
        } catch {
            StandardStreams.complain("\(error); going on without one until there is")
        }
        async let _ = endpoint.keepBroker()
        let display = DemoDisplay(endpoint: endpoint, job: job.id, depth: depth, plain, stop)
        display.begin()
        do {
            let result = try await work.run(reportingTo: job)
            if let trouble = result.troubles.first { job.fail(trouble) } else { job.succeed() }
            _ = await bus.close()
            await display.end()
            try report(result, sums)
        } catch {
            if let failure = error as? CommandFailure, stop.reason == nil {
                job.fail(failure.sentence)
            } else {
                job.endCancelled(stop.reason?.words ?? "")
            }
            _ = await bus.close(timeout: .seconds(2))
            await display.end()
            throw error
        }
    }

    /// Below a ticket or task of the environment, else a job of its own.
    private func beginJob(on bus: BusClient, _ title: String, _ work: DemoWork) -> ProgressTask {
        // What the scan has found counts for nothing: the job's fraction is that of its workers.
        let options = TaskOptions(
            isCancellable: true,
            isPausable: true,
            expectedChildren: work.workers
        )
        let job =
            bus.redeemInherited(title, unit: .bytes, options: options)
            ?? bus.beginJob(title, key: "progressbus-demo", unit: .bytes, options: options)
        job.onCancel { work.stop.stop(.cancelled) }
        // The workers hold by themselves; the job says so.
        job.onPause { job.pause() }
        job.onResume { job.resume() }
        return job
    }

    private func report(_ result: DemoResult, _ sums: ChecksumFile) throws {
        for line in result.summary + sums.summary(of: result) { try StandardStreams.print(line) }
        guard result.troubles.isEmpty else { throw ExitCode.failure }
    }
}
