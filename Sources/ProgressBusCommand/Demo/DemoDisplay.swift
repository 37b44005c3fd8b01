import Dashboard
import ProgressBus
import Synchronization

/// Shows the demo's job while it runs, as any viewer of the bus would see it: as a dashboard where
/// there is a terminal, else as plain lines.
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
    /// `nil` for plain lines.
    private let dashboard: WatchDashboard?
    private let handle = DashboardHandle()
    private let tasks = Mutex(Tasks())

    private struct Tasks {
        /// Whether plain lines are to follow.
        var showing: Task<Bool, Never>?
        var watching: Task<Void, Never>?
    }

    init(
        endpoint: String?,
        job: TaskID,
        depth: Int,
        stop: StopSignal,
        dashboard: WatchDashboard? = nil
    ) {
        self.dashboard = dashboard
        follower = BusFollower(BusConfiguration(endpoint: endpoint, program: "progressbus demo"))
        self.job = job
        self.depth = depth
        self.stop = stop
    }

    /// Starts to follow and to show.
    func begin() {
        tasks.withLock { tasks in
            let showing = dashboard.map { dashboard in Task { await self.show(dashboard) } }
            tasks.showing = showing
            tasks.watching = Task {
                let isWatched = await showing?.value ?? true
                if isWatched { await self.watch() }
            }
        }
    }

    /// Returns when the last state has been shown, or when it does not come.
    func end() async {
        let (showing, watching) = tasks.withLock { ($0.showing, $0.watching) }
        guard let watching else { return }
        switch stop.reason {
        case .signal, .outputClosed: handle.close()
        case .cancelled, nil: handle.closeWhenUnused()
        }
        showing?.cancel()
        _ = await showing?.value
        await withTaskGroup { group in
            group.addTask { await watching.value }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            // Ends the sequence, and with it the other of the two.
            follower.close()
            group.cancelAll()
        }
    }

    /// Shows the dashboard until it is closed or left; whether plain lines are to follow.
    private func show(_ dashboard: WatchDashboard) async -> Bool {
        do {
            // Opened on a job that the broker knows.
            while (try? await follower.find(.id(job))) == nil {
                try await Task.sleep(for: .milliseconds(50))
            }
            switch try await dashboard.run(follower, handle: handle) {
            case .asked: return true
            case .closed: return false
            case .signal(let number):
                stop.stop(.signal(number))
                return false
            case .terminalGone:
                stop.stop(.outputClosed)
                return false
            }
        } catch is CancellationError {
            // The work has ended before the broker had heard of it.
            return true
        } catch {
            StandardStreams.complain("\(error); going on with plain lines")
            return true
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
            for try await update in follower.updates(of: .id(job), depth: depth) {
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
