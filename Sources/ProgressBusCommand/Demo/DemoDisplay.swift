import Dashboard
import ProgressBus

/// Shows the demo's job while it runs, as any viewer of the bus would see it: as a dashboard where
/// there is a terminal, else as the lines of `watch --plain`.
///
/// It follows the bus and knows nothing of the demo but the id of its job.
struct DemoDisplay: Sendable {
    let follower: BusFollower
    let job: TaskID
    let depth: Int
    /// The bus as the dashboard names it; `nil` for plain lines.
    let dashboard: String?
    let stop: DemoStop
    private let handle = DashboardHandle()

    /// Follows and shows the job until it has ended, or the follower is closed.
    func run() async {
        do {
            // The dashboard opens on a job that the broker must know first.
            while (try? await follower.find(.id(job))) == nil {
                try await Task.sleep(for: .milliseconds(50))
            }
            if let dashboard, try await !isLeftEarly(dashboard) { return }
            let watcher = Watcher(follower: follower, formatter: PlainFormatter())
            try await watcher.run(job: "id:\(job)", depth: depth)
        } catch is OutputClosed {
            stop.stop(.outputClosed)
        } catch is CancellationError {
            // `end(_:)` gave up waiting: the broker did not send the job's last state in time.
        } catch {
            StandardStreams.complain("the job cannot be watched: \(error); the work goes on")
        }
    }

    /// Shows the dashboard until it closes; returns whether plain lines are to follow.
    private func isLeftEarly(_ bus: String) async throws -> Bool {
        let look = DashboardEnvironment(environment: OwnProcess.environment)
        let dashboard = WatchDashboard(bus: bus, look: look, job: "id:\(job)")
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

    /// Returns when the last state has been shown, or when it does not come within 2 s.
    func end(_ showing: Task<Void, Never>) async {
        switch stop.reason {
        case .signal, .outputClosed: handle.close()
        case .cancelled, nil: handle.closeWhenUnused()
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(2))
            showing.cancel()
        }
        await showing.value
        limit.cancel()
        follower.close()
    }
}
