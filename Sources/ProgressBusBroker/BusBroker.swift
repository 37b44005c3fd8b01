public import Logging
public import ServiceLifecycle
import ZeroMQ

/// A ProgressBus broker, as a service of swift-service-lifecycle.
///
/// ```swift
/// let broker = BusBroker(configuration: BrokerConfiguration(linger: 30))
/// let group = ServiceGroup(
///     services: [broker],
///     gracefulShutdownSignals: [.sigterm, .sigint],  // import UnixSignals
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// A broker with ``BrokerConfiguration/idleExit`` returns by itself, which a group takes for an
/// error unless its service is configured with the `successTerminationBehavior`
/// `.gracefullyShutdownGroup`.
///
/// It runs on threads of its own and leaves Swift's cooperative threads alone. Several brokers may
/// live in one process if their endpoints differ. Safe to use from any thread.
///
/// While it runs, the process's soft limit of open files is raised to the hard limit: each client
/// costs up to three descriptors, and libzmq ends the process when an ipc listener runs out of
/// them. The broker turns connections away before that. A process that opens many files itself must
/// leave the broker enough. `NOTIFY_SOCKET` is answered as systemd expects (`READY=1`,
/// `STOPPING=1`).
public struct BusBroker: Service {
    /// How it runs.
    public let configuration: BrokerConfiguration
    private let logger: Logger

    /// Prepares a broker; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: where to listen and how.
    ///   - logger: takes its structured log, from any thread.
    public init(
        configuration: BrokerConfiguration = BrokerConfiguration(),
        logger: Logger = Logger(label: "progressbus.broker")
    ) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Runs the broker until graceful shutdown, cancellation or, if configured, until it is idle.
    ///
    /// At the end it takes in what has already arrived, publishes a last update, commits the
    /// journal, closes its sockets and then releases the endpoint: at most about six seconds, less
    /// than one unless the disk fails.
    ///
    /// - Throws: ``BrokerError``, before anything was bound or when the sockets fail.
    public func run() async throws {
        let inbox: LoopInbox
        do {
            inbox = try LoopInbox()
        } catch {
            throw BrokerError(.systemLimit, "The broker cannot begin: \(error).")
        }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await onOwnThread {
                let life = BrokerLife(configuration: configuration, logger: logger, inbox: inbox)
                try life.run()
            }
        } onCancelOrGracefulShutdown: {
            inbox.stop()
        }
    }

    /// Runs blocking work on a new thread; the caller is suspended, not blocked, until it is done.
    private func onOwnThread(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            do {
                // Nobody needs to wait for the thread itself: it ends with the resumption.
                _ = try startThread(name: "broker") {
                    done.resume(with: Result(catching: work))
                }
            } catch {
                done.resume(
                    throwing: BrokerError(.systemLimit, "The broker cannot begin: \(error).")
                )
            }
        }
    }
}
