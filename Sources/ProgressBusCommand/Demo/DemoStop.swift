import ArgumentParser
import ProcessControl
import Synchronization

/// Stops the demo's work early.
///
/// The first reason counts; any thread may give it.
final class DemoStop: Sendable {
    /// Why work ends early.
    enum Reason: Equatable, Sendable {
        /// SIGINT or SIGTERM.
        case signal(Int32)
        /// A viewer of the bus has asked for it.
        case cancelled
        /// Nobody reads what is printed.
        case outputClosed

        var words: String {
            switch self {
            case .signal(let number): "interrupted by signal \(number)"
            case .outputClosed: "nobody reads its output"
            case .cancelled: ""
            }
        }

        var failure: any Error {
            switch self {
            case .signal(SIGTERM): CommandFailure(.terminated, "terminated; nothing was written")
            case .signal: CommandFailure(.interrupted, "interrupted; nothing was written")
            case .outputClosed: ExitCode.brokenPipe
            case .cancelled:
                CommandFailure(.interrupted, "cancelled from the bus; nothing was written")
            }
        }
    }

    /// How long a worker that was asked to stop may take.
    private static let grace = Duration.seconds(3)
    /// Between two looks whether a worker has ended.
    private static let pause = Duration.milliseconds(20)

    private struct State {
        var reason: Reason?
        /// Workers that have not ended, so that no signal meets somebody else's process.
        var workers: [pid_t: ChildProcess] = [:]
    }

    private let state = Mutex(State())

    /// Why, once somebody has asked; the first reason counts.
    var reason: Reason? { state.withLock { $0.reason } }

    func stop(_ reason: Reason) {
        state.withLock { $0.reason = $0.reason ?? reason }
        signalWorkers(SIGTERM)
        Task {
            try await Task.sleep(for: Self.grace)
            signalWorkers(SIGKILL)
        }
    }

    /// Waits for the end of a worker, which is ended when work is.
    func waitForEnd(of worker: ChildProcess) async -> ProcessEnd {
        state.withLock { $0.workers[worker.pid] = worker }
        if reason != nil { signalWorkers(SIGTERM) }
        while true {
            let end = state.withLock { state in
                let end = worker.endIfAny()
                if end != nil { state.workers[worker.pid] = nil }
                return end
            }
            if let end { return end }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func signalWorkers(_ signal: Int32) {
        state.withLock { state in
            for worker in state.workers.values { worker.send(signal: signal) }
        }
    }
}
