import BusProtocol
import Dashboard
import ProcessControl
import ProgressBus
import Synchronization

/// Shows the demo's job while it runs, as any viewer of the bus would see it: as a dashboard where
/// there is a terminal, else as the lines of `watch --plain`.
///
/// It follows the bus and knows nothing of the demo but the id of its job.
final class DemoDisplay: Sendable {
    /// How long the last state may take to arrive once the work has ended.
    private static let patience = Duration.seconds(2)

    private let follower: BusFollower
    private let job: TaskID
    private let depth: Int
    /// `nil` for plain lines.
    private let dashboard: WatchDashboard?
    private let stop: DemoStop
    private let handle = DashboardHandle()
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(endpoint: EndpointOptions, job: TaskID, depth: Int, _ plain: Bool, _ stop: DemoStop) {
        follower = BusFollower(
            BusConfiguration(endpoint: endpoint.endpoint, program: "progressbus demo")
        )
        (self.job, self.depth, self.stop) = (job, depth, stop)
        let environment = OwnProcess.environment
        let mode = OutputMode.choose(
            json: false,
            plain: plain,
            environment: environment,
            isTerminal: isatty(STDOUT_FILENO) == 1
        )
        let look = DashboardEnvironment(environment: environment)
        let bus = (try? endpoint.resolve().endpoint.description) ?? ""
        dashboard =
            mode == .dashboard ? WatchDashboard(bus: bus, look: look, job: "id:\(job)") : nil
    }

    /// Starts to follow and to show.
    func begin() {
        task.withLock { $0 = Task { await run() } }
    }

    /// Returns when the last state has been shown, or when it does not come.
    func end() async {
        switch stop.reason {
        case .signal, .outputClosed: handle.close()
        case .cancelled, nil: handle.closeWhenUnused()
        }
        let task = task.withLock { $0 }
        let limit = Task {
            try await Task.sleep(for: Self.patience)
            task?.cancel()
        }
        await task?.value
        limit.cancel()
        follower.close()
    }

    private func run() async {
        do {
            // Opened on a job that the broker knows.
            while (try? await follower.find(.id(job))) == nil {
                try await Task.sleep(for: .milliseconds(50))
            }
            if let dashboard, try await !isLeft(dashboard) { return }
            let watcher = Watcher(follower: follower, formatter: PlainFormatter())
            try await watcher.run(job: "id:\(job)", depth: depth)
        } catch is OutputClosed {
            stop.stop(.outputClosed)
        } catch is CancellationError {
            // The work has ended before the broker had heard of it.
        } catch {
            StandardStreams.complain("the job cannot be watched: \(error); the work goes on")
        }
    }

    /// Shows the dashboard until it is closed or left; whether plain lines are to follow.
    private func isLeft(_ dashboard: WatchDashboard) async throws -> Bool {
        do {
            switch try await dashboard.run(follower, handle: handle) {
            case .asked: return true
            case .closed: break
            case .signal(let number): stop.stop(.signal(number))
            case .terminalGone: stop.stop(.outputClosed)
            }
            return false
        } catch  where !(error is FollowError) {
            StandardStreams.complain("\(error); going on with plain lines")
            return true
        }
    }
}
