import ZeroMQ

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs the worker processes of the demo: hands out their lists, collects their results.
///
/// One thread and one poll(2) for all, so that no worker can hold up another and a worker that
/// dies at any point is noticed by the end of its pipe.
struct WorkerPool {
    /// What one worker is started with.
    struct Assignment: Sendable {
        var arguments: [String]
        var environment: [String: String]
        var files: [FileScan.File]
    }

    /// What has become of one worker.
    struct Outcome: Sendable {
        var messages: [WorkerMessage] = []
        /// How it ended, if not as it should have.
        var trouble: String?
    }

    /// How long a worker that was asked to stop may take.
    private static let grace = Duration.seconds(3)

    private var workers: [WorkerConnection]
    private let stop: StopSignal
    private var killTime: ContinuousClock.Instant?

    /// Starts all workers; one that cannot be started has ended in trouble at once.
    init(_ assignments: [Assignment], stop: StopSignal) {
        self.stop = stop
        workers = assignments.map(WorkerConnection.init)
    }

    /// Returns when all workers have ended.
    mutating func run() -> [Outcome] {
        while workers.contains(where: { !$0.isOver }) {
            stopIfAsked()
            var items = pollItems()
            _ = poll(&items, nfds_t(items.count), killTime == nil ? -1 : 100)
            for index in workers.indices {
                workers[index].send()
                workers[index].receive()
            }
        }
        return workers.map(\.outcome)
    }

    private func pollItems() -> [pollfd] {
        var items = workers.flatMap(\.pollItems)
        if killTime == nil {
            items.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0))
        }
        return items
    }

    private mutating func stopIfAsked() {
        guard stop.reason != nil else { return }
        let now = ContinuousClock.now
        guard let killTime else {
            killTime = now + Self.grace
            for worker in workers { worker.signal(SIGTERM) }
            return
        }
        if now >= killTime {
            for worker in workers { worker.signal(SIGKILL) }
        }
    }
}
