import ChildProcesses
import Foundation
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
        let exchange = FileManager.default.temporaryDirectory
            .appendingPathComponent("progressbus-demo-\(getpid())")
        try FileManager.default.createDirectory(at: exchange, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: exchange) }
        try await withThrowingTaskGroup { group in
            for (index, list) in lists.enumerated() {
                let folder = exchange.appendingPathComponent("\(index + 1)")
                let order = try WorkOrder(list, in: folder)
                let environment = environment(ofWorker: index + 1, list, job)
                let arguments = ["demo-worker", folder.path] + (job == nil ? ["--no-report"] : [])
                let worker = try ChildProcess.start(
                    arguments,
                    environment: environment,
                    streams: .init(input: nil, output: STDOUT_FILENO, error: STDERR_FILENO)
                )
                group.addTask { (index + 1, order, await stop.waitForEnd(of: worker)) }
            }
            for try await (number, order, end) in group { result.add(order, number, end) }
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
    private func environment(
        ofWorker number: Int,
        _ files: [DemoFile],
        _ job: ProgressTask?
    ) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        // Meant for this process alone.
        environment["PROGRESSBUS_TICKET"] = nil
        environment["PROGRESSBUS_PARENT"] = nil
        guard let job else { return environment }
        let bytes = files.reduce(0) { $0 + $1.size }
        return job.makeTicket("Worker \(number)", share: max(bytes, 1))
            .environment(mergedInto: environment)
    }
}
