import ArgumentParser
import Foundation
import ProgressBus

/// The main job: find the files, let the workers checksum them, write the result.
struct Demo {
    let source: FileName
    let file: ChecksumFile
    let workers: Int
    let stop: StopSignal

    /// Does it all and prints the summary.
    ///
    /// - Parameters:
    ///   - report: The job on the bus; `nil` does the same without it.
    ///   - display: What shows the job while it runs.
    /// - Throws: What ends the process: a failure in words, or a bare exit code.
    func run(
        reportingTo report: DemoReport?,
        showing display: DemoDisplay? = nil
    ) async throws {
        let start = ContinuousClock.now
        do {
            let result = try await work(reportingTo: report)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            await finish(report, casualties: result.result.casualties)
            await display?.end()
            let lines = DemoSummary.lines(
                for: result.result,
                seconds: seconds,
                workers: result.workers,
                file: file
            )
            for line in lines { try StandardStreams.print(line) }
            guard result.result.casualties.isEmpty else { throw ExitCode.failure }
        } catch let failure as CommandFailure {
            report?.job.fail(failure.sentence)
            _ = await report?.bus.close(timeout: .seconds(2))
            await display?.end()
            throw failure
        } catch is CancellationError {
            report?.job.endCancelled(reasonForStop)
            _ = await report?.bus.close(timeout: .seconds(2))
            await display?.end()
            throw failureForStop
        }
    }

    private func work(
        reportingTo report: DemoReport?
    ) async throws -> (result: DemoResult, workers: Int) {
        let scan = await find(reportingTo: report?.beginScan())
        guard stop.reason == nil else { throw CancellationError() }
        // A pause asked for during the scan holds here; later ones the workers heed themselves.
        try await report?.job.checkpoint()
        let files = scan.files.sorted { $0.name < $1.name }
        let plan = WorkPlan(sizes: files.map(\.size), workers: workers)
        let assignments = files.isEmpty ? [] : assign(files, by: plan, reportingTo: report)
        let stop = stop
        let outcomes = await onOwnThread("demo-workers") {
            var pool = WorkerPool(assignments, stop: stop)
            return pool.run()
        }
        guard stop.reason == nil else { throw CancellationError() }
        let result = DemoResult(
            files: files,
            leftOut: scan.leftOut,
            plan: plan,
            outcomes: outcomes
        )
        try file.write(result.lines)
        let needsNamesFile = DemoSummary.needsNamesFile(result, file: file)
        try file.writeNames(needsNamesFile ? result.namesWithoutChecksum : [])
        return (result, assignments.count)
    }

    private func find(reportingTo task: ProgressTask?) async -> FileScan {
        let (source, current, stop) = (source, file.current, stop)
        let scan = await onOwnThread("demo-scan") {
            var scan = FileScan(of: source, excluding: current)
            while stop.reason == nil, scan.step() {
                task?.complete(scan.files.count)
            }
            return scan
        }
        task?.succeed()
        return scan
    }

    private func assign(
        _ files: [FileScan.File],
        by plan: WorkPlan,
        reportingTo report: DemoReport?
    ) -> [WorkerPool.Assignment] {
        report?.job.expectChildren(plan.lists.count)
        var environment = ProcessInfo.processInfo.environment
        // Meant for this process alone.
        environment["PROGRESSBUS_TICKET"] = nil
        environment["PROGRESSBUS_PARENT"] = nil
        return plan.lists.enumerated().map { worker, list in
            let files = list.map { files[$0] }
            let own = report?.environment(forWorker: worker + 1, files: files, own: environment)
            return WorkerPool.Assignment(
                arguments: ["demo-worker"] + (report == nil ? ["--no-report"] : []),
                environment: own ?? environment,
                files: files
            )
        }
    }

    private func finish(_ report: DemoReport?, casualties: [DemoResult.Casualty]) async {
        guard let report else { return }
        if let first = casualties.first {
            report.job.fail("worker \(first.number) \(first.trouble)")
        } else {
            report.job.succeed()
        }
        _ = await report.bus.close(timeout: .seconds(5))
    }

    private var reasonForStop: String {
        switch stop.reason {
        case .signal(let number): "interrupted by signal \(number)"
        case .outputClosed: "nobody reads its output"
        case .cancelled, nil: ""
        }
    }

    private var failureForStop: any Error {
        switch stop.reason {
        case .signal(SIGTERM): CommandFailure(.terminated, "terminated; nothing was written")
        case .signal: CommandFailure(.interrupted, "interrupted; nothing was written")
        case .outputClosed: ExitCode.brokenPipe
        case .cancelled, nil:
            CommandFailure(.interrupted, "cancelled from the bus; nothing was written")
        }
    }
}
