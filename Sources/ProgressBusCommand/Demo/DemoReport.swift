import ProgressBus
import TaskTree

/// The demo's own part of the tree: the job, its scan, and a ticket for each worker.
struct DemoReport {
    let bus: BusClient
    let job: ProgressTask

    /// Begins the job, or continues what somebody else has handed over.
    ///
    /// First thing in the process, as it may change the environment.
    init(endpoint: String?, title: String, workers: Int, stop: StopSignal) {
        bus = BusClient(BusConfiguration(endpoint: endpoint, program: "progressbus demo"))
        let options = TaskOptions(
            isCancellable: true,
            isPausable: true,
            // The scan counts for nothing; the job's fraction is that of its workers' bytes.
            expectedChildren: workers
        )
        let job =
            bus.redeemInherited(title, total: Int?.none, unit: .bytes, options: options)
            ?? bus.beginJob(title, key: "progressbus-demo", unit: .bytes, options: options)
        job.onCancel { stop.stop(.cancelled) }
        // The workers hold by themselves; the job says so.
        job.onPause { job.pause() }
        job.onResume { job.resume() }
        self.job = job
    }

    func beginScan() -> ProgressTask {
        job.beginChild(
            "Find the files",
            share: 0,
            unit: "found",
            options: TaskOptions(style: .spinner)
        )
    }

    /// The environment of a worker: ours, with the ticket and the endpoint.
    func environment(
        forWorker number: Int,
        files: [FileScan.File],
        own: [String: String]
    ) -> [String: String] {
        let bytes = files.reduce(0) { $0 + $1.size }
        let ticket = job.makeTicket("Worker \(number)", share: max(bytes, 1))
        return ticket.environment(mergedInto: own)
    }
}
