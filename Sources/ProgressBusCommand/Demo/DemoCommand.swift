import ArgumentParser
import ProcessControl
import ProgressBus

/// `progressbus demo`: real work by several processes, watched live; an example of the library.
///
/// Read it in this order: here a job is begun; `DemoWork` makes a ticket for each worker;
/// `DemoWorkerCommand` is what a worker does with its ticket; `DemoDisplay` follows the job as any
/// viewer would.
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
        let address = noReport ? "" : "\(try endpoint.resolve().endpoint)"
        let work = try DemoWork(
            on: directory,
            output: output,
            workers: workers ?? min(max(OwnProcess.processorCount, 2), Self.mostWorkers)
        )
        let signals = SignalWatch([SIGINT, SIGTERM]) { work.stop.stop(.signal($0)) }
        defer { withExtendedLifetime(signals) {} }
        guard !noReport else { return try report(try await work.run(reportingTo: nil), of: work) }

        let configuration = BusConfiguration(
            endpoint: endpoint.endpoint,
            program: "progressbus demo"
        )
        let bus = BusClient(configuration)
        let job = beginJob(on: bus, for: work)
        await endpoint.ensureBrokerOrComplain()
        async let _ = endpoint.keepBroker()
        let display = DemoDisplay(
            follower: BusFollower(configuration),
            job: job.id,
            depth: depth,
            dashboard: OutputMode.choose(plain: plain) == .dashboard ? address : nil,
            stop: work.stop
        )
        let showing = Task { await display.run() }
        do {
            let result = try await work.run(reportingTo: job)
            if let trouble = result.troubles.first { job.fail(trouble) } else { job.succeed() }
            _ = await bus.close()
            await display.end(showing)
            try report(result, of: work)
        } catch {
            if let reason = work.stop.reason {
                job.endCancelled(reason.words)
            } else {
                // Without effect if the job has ended: then its troubles end the process.
                job.fail(error)
            }
            _ = await bus.close(timeout: .seconds(2))
            await display.end(showing)
            throw error
        }
    }

    /// Begins the job from the ticket or parent in the environment, else as a job of its own.
    private func beginJob(on bus: BusClient, for work: DemoWork) -> ProgressTask {
        // The scan has share 0: the job's fraction is that of its workers.
        let options = TaskOptions(
            isCancellable: true,
            isPausable: true,
            expectedChildren: work.workers
        )
        let title = "Checksum \(work.source)"
        let job =
            bus.redeemInherited(title, unit: .bytes, options: options)
            ?? bus.beginJob(title, key: "progressbus-demo", unit: .bytes, options: options)
        job.onCancel { work.stop.stop(.cancelled) }
        // The workers pause by themselves; the job only shows it.
        job.onPause { job.pause() }
        job.onResume { job.resume() }
        return job
    }

    private func report(_ result: ChecksumResult, of work: DemoWork) throws {
        for line in result.summary + work.sums.summary(of: result) {
            try StandardStreams.print(line)
        }
        guard result.troubles.isEmpty else { throw ExitCode.failure }
    }
}
