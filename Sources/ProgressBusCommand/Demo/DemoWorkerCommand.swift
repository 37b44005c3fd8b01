import ArgumentParser
import ProgressBus

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `progressbus demo-worker`: one of the processes that `demo` starts.
struct DemoWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-worker",
        abstract: "Checksums the files listed on standard input; started by demo.",
        shouldDisplay: false
    )

    @Flag var noReport = false

    func run() async throws {
        let bus = noReport ? nil : BusClient(BusConfiguration(program: "progressbus demo-worker"))
        // First, as it changes the environment, which other threads might read.
        let task = bus?.redeemInherited(
            total: Int?.none,
            unit: .bytes,
            options: TaskOptions(isCancellable: true, isPausable: true)
        )
        let stop = try StopSignal()
        let signals = SignalWatch([SIGINT, SIGTERM]) { number in
            stop.stop(.signal(number))
            // Also ends a pause.
            task?.requestCancel()
        }
        defer { withExtendedLifetime(signals) {} }

        var bytes: [UInt8] = []
        let input = StandardInput()
        while case let piece = await input.read(), !piece.isEmpty { bytes += piece }
        guard let files = WorkList.decode(bytes) else {
            task?.fail("the list of files was cut off")
            _ = await bus?.close()
            throw CommandFailure(.dataError, "the list of files was cut off; is demo gone?")
        }
        var work = DemoWork(files: files, task: task, stop: stop)
        let isComplete = try await work.run()
        _ = await bus?.close()
        try StandardStreams.print(WorkerMessage.finished(isComplete: isComplete).line)
    }
}
