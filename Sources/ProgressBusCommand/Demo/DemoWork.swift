import Essentials
import ProcessControl
import ProgressBus

/// Finds the files, lets worker processes checksum them, and writes what they have found out.
struct DemoWork: Sendable {
    /// A directory, by its absolute path without symbolic links.
    let source: String
    let sums: ChecksumFile
    let workers: Int
    let stop = DemoStop()

    /// - Throws: A failure with exit code 65 or 73 if the directory or the result cannot be used.
    init(on directory: String?, output: String?, workers: Int) throws(CommandFailure) {
        source = URL(fileURLWithPath: directory ?? "/usr/share").resolvingSymlinksInPath().path
        do throws(OpenFile.Failure) {
            _ = try RegularFile.paths(in: source)
        } catch {
            throw CommandFailure(
                .dataError,
                "cannot read the directory \(source): \(error); name another one"
            )
        }
        sums = try ChecksumFile(output)
        self.workers = workers
    }

    /// - Parameter job: The job on the bus; `nil` does the same work without the bus.
    /// - Returns: What the workers have found out; the checksums are written.
    /// - Throws: The error that ends the process: a `CommandFailure`, an `ExitCode`, or an error of
    ///   Foundation if a work order cannot be written.
    func run(reportingTo job: ProgressTask?) async throws -> ChecksumResult {
        let start = ContinuousClock.now
        let (files, leftOut) = await find(reportingTo: job)
        var result = ChecksumResult(leftOut: leftOut)
        try stop.check()
        // A pause requested during the scan holds here until it ends, or until the work is to stop.
        // The workers heed later requests themselves.
        while job?.isPauseRequested == true, stop.reason == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        try stop.check()
        let lists = WorkOrder.divide(files, among: workers)
        job?.expectChildren(lists.count)
        // No other user may read the folder or write into it.
        let exchange = FileManager.default.temporaryDirectory
            .appendingPathComponent("progressbus-demo-\(UUID())")
        try FileManager.default.createDirectory(
            at: exchange,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: exchange) }
        // All work orders are written before a worker starts: on a full disk, none starts.
        let orders = try zip(1..., lists).map { number, list in
            try WorkOrder(list, in: exchange.appendingPathComponent("\(number)"))
        }
        await withTaskGroup { group in
            for (number, order) in zip(1..., orders) {
                do throws(StartError) {
                    let worker = try startWorker(number, on: order, reportingTo: job)
                    group.addTask { (number, order, await end(of: worker).trouble) }
                } catch {
                    result.add(order, number, "could not be started: \(error)")
                }
            }
            for await (number, order, trouble) in group { result.add(order, number, trouble) }
        }
        try stop.check()
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        result.workers = lists.count
        try sums.write(result)
        return result
    }

    private func find(reportingTo job: ProgressTask?) async -> ([RegularFile], leftOut: [String]) {
        // Share 0: the number of files says nothing about the time that they take.
        let task = job?.beginChild(
            "Find the files",
            share: 0,
            unit: "found",
            options: TaskOptions(style: .spinner)
        )
        return await onOwnThread("demo-scan") {
            var files: [RegularFile] = []
            let leftOut = RegularFile.find(in: source) { file in
                if file.path != sums.path { files.append(file) }
                task?.complete(files.count)
                return stop.reason == nil
            }
            task?.succeed()
            return (files, leftOut)
        }
    }

    /// Starts a worker with a ticket for a child of the job, worth the bytes of its files.
    private func startWorker(
        _ number: Int,
        on order: WorkOrder,
        reportingTo job: ProgressTask?
    ) throws(StartError) -> ChildProcess {
        var environment = OwnProcess.environment
        var arguments = ["demo-worker", order.folder.path]
        if let job {
            let bytes = order.files.reduce(0) { $0 + $1.size }
            environment = job.makeTicket("Worker \(number)", share: max(bytes, 1))
                .environment(mergedInto: environment)
        } else {
            arguments.append("--no-report")
        }
        return try ChildProcess.start(
            arguments,
            environment: environment,
            streams: .init(input: nil, output: STDOUT_FILENO, error: STDERR_FILENO)
        )
    }

    /// Waits for a worker's end; when the work is to stop, sends SIGTERM, and SIGKILL after 3 s.
    private func end(of worker: ChildProcess) async -> ProcessEnd {
        var killTime: ContinuousClock.Instant?
        while true {
            if let end = worker.endIfAny() { return end }
            if killTime == nil, stop.reason != nil {
                worker.send(signal: SIGTERM)
                killTime = .now + .seconds(3)
            } else if let killTime, killTime < .now {
                worker.send(signal: SIGKILL)
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}

extension ProcessEnd {
    /// Why a worker that ended like this may not have done all its files.
    fileprivate var trouble: String? {
        switch self {
        case .exited(0): nil
        case .exited(let status): "exited with status \(status)"
        case .signalled(let signal): "was killed by signal \(signal)"
        }
    }
}
