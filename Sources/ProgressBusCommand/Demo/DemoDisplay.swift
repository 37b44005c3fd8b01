import ProgressBus
import Synchronization

/// Prints the demo's job as plain lines while it runs, as any viewer of the bus would see it.
///
/// It follows the bus like `watch` does and knows nothing of the demo but the id of its job.
final class DemoDisplay: Sendable {
    /// Seconds between two blocks of lines.
    private static let period = 1.0
    /// How long the last state may take to arrive once the work has ended.
    private static let patience = Duration.seconds(2)

    private let follower: BusFollower
    private let job: TaskID
    private let depth: Int
    private let stop: StopSignal
    private let watching = Mutex<Task<Void, Never>?>(nil)

    init(endpoint: String?, job: TaskID, depth: Int, stop: StopSignal) {
        follower = BusFollower(BusConfiguration(endpoint: endpoint, program: "progressbus demo"))
        self.job = job
        self.depth = depth
        self.stop = stop
    }

    /// Starts to follow and to print.
    func begin() {
        watching.withLock { $0 = Task { await self.watch() } }
    }

    /// Returns when the last state has been printed, or when it does not come.
    func end() async {
        guard let task = watching.withLock({ $0 }) else { return }
        await withTaskGroup { group in
            group.addTask { await task.value }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            // Ends the sequence, and with it the other of the two.
            follower.close()
            group.cancelAll()
        }
    }

    private func watch() async {
        do {
            while try await !follow() {
                try await Task.sleep(for: .milliseconds(50))
            }
        } catch is OutputClosed {
            stop.stop(.outputClosed)
        } catch is CancellationError {
            // The work has ended before the broker had heard of it.
        } catch {
            StandardStreams.complain("the job cannot be watched: \(error); the work goes on")
        }
    }

    /// Follows the job to its end; false if the broker has not heard of it yet.
    private func follow() async throws -> Bool {
        let clock = ContinuousClock()
        var next = clock.now
        do {
            for try await update in follower.updates(of: "id:\(job)", depth: depth) {
                let now = clock.now
                guard update.state.isEnded || now >= next else { continue }
                next = now + .seconds(Self.period)
                for line in DemoLines.lines(for: update.task) {
                    try StandardStreams.print(line)
                }
            }
            return true
        } catch let error as FollowError where error.code == .noSuchTask {
            return false
        } catch let error as FollowError where error.code == .closed {
            return true
        }
    }
}
