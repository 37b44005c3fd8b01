import Essentials
import ProcessControl
import ProgressBus

/// Finds the files, lets worker processes checksum them, and writes what they have found out.
struct DemoWork: Sendable {
    let source: String
    let sums: ChecksumFile
    let workers: Int
    let stop: DemoStop

    /// - Parameter job: The job on the bus; `nil` does the same without it.
    /// - Returns: What the workers have found out; the checksums are written.
    /// - Throws: What ends the process: a failure in words, or a bare exit code.
    func run(reportingTo job: ProgressTask?) async throws -> DemoResult {
        let start = ContinuousClock.now
        let (files, leftOut) = await find(reportingTo: job)
        var result = DemoResult(leftOut: leftOut.map { "left out: " + $0 })
        if let reason = stop.reason { throw reason.failure }
        // A pause asked for during the scan holds here; later ones the workers heed themselves.
        do {
            try await job?.checkpoint()
        } catch {
            throw DemoStop.Reason.cancelled.failure
        }
        let lists = DemoFile.lists(of: files, for: workers)
        job?.expectChildren(lists.count)
        // Nobody else may look into it or put something there.
        let exchange = FileManager.default.temporaryDirectory
            .appendingPathComponent("progressbus-demo-\(UUID())")
        try FileManager.default.createDirectory(
            at: exchange,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: exchange) }
        // All are written before a worker starts: where the disk is full, none does.
        let orders = try lists.enumerated().map { index, list in
            try WorkOrder(list, in: exchange.appendingPathComponent("\(index + 1)"))
        }
        await withTaskGroup { group in
            for (index, order) in orders.enumerated() {
                let number = index + 1
                do throws(StartError) {
                    let worker = try startWorker(number, on: order, reportingTo: job)
                    group.addTask { (number, order, await stop.waitForEnd(of: worker).trouble) }
                } catch {
                    result.add(order, number, "could not be started: \(error)")
                }
            }
            for await (number, order, trouble) in group { result.add(order, number, trouble) }
        }
        if let reason = stop.reason { throw reason.failure }
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        result.workers = lists.count
        try sums.write(result.sums)
        return result
    }

    private func find(reportingTo job: ProgressTask?) async -> ([DemoFile], leftOut: [String]) {
        // Worth nothing: how many files there are says nothing of how long they take.
        let task = job?.beginChild(
            "Find the files",
            share: 0,
            unit: "found",
            options: TaskOptions(style: .spinner)
        )
        return await onOwnThread("demo-scan") {
            var files: [DemoFile] = []
            let leftOut = DemoFile.find(in: source) { file in
                if file.path != sums.path { files.append(file) }
                task?.complete(files.count)
                return stop.reason == nil
            }
            task?.succeed()
            return (files, leftOut)
        }
    }

    /// A ticket in the environment makes a worker's task a part of the job, worth its bytes.
    private func startWorker(
        _ number: Int,
        on order: WorkOrder,
        reportingTo job: ProgressTask?
    ) throws(StartError) -> ChildProcess {
        var environment = OwnProcess.environment
        // Meant for this process alone.
        environment["PROGRESSBUS_TICKET"] = nil
        environment["PROGRESSBUS_PARENT"] = nil
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
