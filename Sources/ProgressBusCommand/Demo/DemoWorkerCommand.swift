import ArgumentParser
import Essentials
import ProcessControl
import ProgressBus

/// `progressbus demo-worker`: one of the processes that `demo` starts.
struct DemoWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-worker",
        abstract: "Checksums the files of a work order; started by demo.",
        shouldDisplay: false
    )

    /// From this size on a file is a task of its own.
    private static let largeFile: Int = 8 << 20

    @Argument var folder: String

    @Flag var noReport = false

    func run() async throws {
        let bus = noReport ? nil : BusClient(BusConfiguration(program: "progressbus demo-worker"))
        // First, because it changes the environment, which other threads might read.
        let task = bus?.redeemInherited(
            unit: .bytes,
            options: TaskOptions(isCancellable: true, isPausable: true)
        )
        // A cancel request also ends a pause. Without a bus the signals end the process.
        let signals = task.map { task in
            SignalWatch([SIGINT, SIGTERM]) { _ in task.requestCancel() }
        }
        defer { withExtendedLifetime(signals) {} }
        let order = try WorkOrder(in: URL(fileURLWithPath: folder))
        let outcomes = try OpenFile(replacing: order.outcomes)
        task?.setTotal(order.files.reduce(0) { $0 + $1.size })
        // Share 0: the task's fraction follows the bytes.
        let counter = task?.beginChild("Files", share: 0, total: order.files.count, unit: .files)
        let parent = getppid()
        do {
            // When demo has died, nobody wants the rest.
            for file in order.files where getppid() == parent {
                try outcomes.write(try await checksum(file, reportingTo: task) + "\n")
                counter?.advance()
            }
            counter?.succeed()
            task?.succeed()
        } catch is CancellationError {
            counter?.endCancelled()
            task?.endCancelled()
        }
        _ = await bus?.close()
    }

    /// The outcome of a file: its checksum, or `WorkOrder.leftOut` and the reason.
    private func checksum(
        _ file: RegularFile,
        reportingTo task: ProgressTask?
    ) async throws -> String {
        task?.setDetail(file.path)
        let name = URL(fileURLWithPath: file.path).lastPathComponent
        let own =
            file.size < Self.largeFile
            ? nil : task?.beginChild(name, share: file.size, total: file.size, unit: .bytes)
        // Each file counts exactly its size in the order, so that the worker's total holds.
        var rest = file.size
        func advance(by count: Int) {
            (own ?? task)?.advance(by: min(count, rest))
            rest -= min(count, rest)
        }
        do {
            let digest = try await file.checksum { count in
                advance(by: count)
                try await task?.checkpoint()
            }
            advance(by: rest)
            own?.succeed()
            return digest
        } catch let failure as RegularFile.LeftOut {
            task?.log("left out: \(file.path) \(failure.reason)")
            advance(by: rest)
            own?.endCancelled(failure.reason)
            return WorkOrder.leftOut + failure.reason
        } catch {
            own?.endCancelled()
            throw error
        }
    }
}
