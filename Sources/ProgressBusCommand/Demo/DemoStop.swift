import ArgumentParser
import ProcessControl
import Synchronization

/// Whether the demo's work ends early; the first reason counts, and any thread may give it.
final class DemoStop: Sendable {
    enum Reason: Equatable, Sendable {
        /// SIGINT or SIGTERM.
        case signal(Int32)
        /// A viewer of the bus has asked for it.
        case cancelled
        /// Nobody reads what is printed.
        case outputClosed

        /// The reason with which the job ends.
        var words: String {
            switch self {
            case .signal(let number): "interrupted by signal \(number)"
            case .outputClosed: "nobody reads its output"
            case .cancelled: ""
            }
        }

        fileprivate var failure: any Error {
            switch self {
            case .signal(SIGTERM): CommandFailure(.terminated, "terminated; nothing was written")
            case .signal: CommandFailure(.interrupted, "interrupted; nothing was written")
            case .outputClosed: ExitCode.brokenPipe
            case .cancelled:
                CommandFailure(.interrupted, "cancelled from the bus; nothing was written")
            }
        }
    }

    private let first = Mutex<Reason?>(nil)

    var reason: Reason? { first.withLock { $0 } }

    func stop(_ reason: Reason) { first.withLock { $0 = $0 ?? reason } }

    /// Throws the failure of the reason if the work is to stop.
    func check() throws {
        if let reason { throw reason.failure }
    }
}
