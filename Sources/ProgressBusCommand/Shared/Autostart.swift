import ArgumentParser
import BusProtocol
import Essentials
import ProcessControl
import ZeroMQ

/// Starts a broker in the background where none listens.
///
/// connect(2) tells whether a broker listens; taking the lock to find out could keep a broker from
/// starting. If two processes start a broker at the same moment, the lock lets one of the brokers
/// live, and both processes succeed.
struct Autostart {
    /// How long a started broker may take until it listens; a busy machine needs some seconds.
    static let patience = Duration.seconds(10)
    /// How long a broker that nobody uses stays, in seconds.
    private static let idleExit = 60

    private let endpoint: BusEndpoint
    private let patience: Duration
    /// Milliseconds between two checks.
    private static let pause = 10

    /// A broker that was started and does not listen yet.
    private struct Starting {
        let child: ChildProcess
        let deadline: ContinuousClock.Instant
        var isRunning = true
    }

    private var starting: Starting?

    init(endpoint: BusEndpoint, patience: Duration = Self.patience) {
        self.endpoint = endpoint
        self.patience = patience
    }

    /// Returns when a broker listens; at once for an endpoint that is not an ipc directory.
    mutating func ensureBroker() async throws(CommandFailure) {
        // A broker does not announce that its sockets are there.
        while !(try isReady()) {
            do {
                try await Task.sleep(for: .milliseconds(Self.pause))
            } catch {
                throw CommandFailure(.temporaryFailure, "interrupted while a broker was starting")
            }
        }
    }

    /// Like ``ensureBroker()``, on a thread that may block.
    mutating func waitForBroker() throws(CommandFailure) {
        // A broker does not announce that its sockets are there.
        while !(try isReady()) { usleep(UInt32(Self.pause) * 1_000) }
    }

    /// Whether a broker listens; starts one where none does and none is starting.
    ///
    /// - Throws: A failure if none can be started, or if the started one does not listen in time.
    mutating func isReady() throws(CommandFailure) -> Bool {
        guard case .ipc(let directory) = endpoint.kind, endpoint.hasNoListener else {
            starting = nil
            return true
        }
        let log = BrokerLog(directory: directory)
        guard let current = starting else {
            do {
                try endpoint.createDirectory()
            } catch {
                throw CommandFailure(.cannotCreate, String(describing: error))
            }
            starting = Starting(child: try start(log: log), deadline: .now + patience)
            return false
        }
        try check(current, log)
        return false
    }

    private mutating func check(_ current: Starting, _ log: BrokerLog) throws(CommandFailure) {
        if current.isRunning, let end = current.child.endIfAny() {
            starting?.isRunning = false
            // With this exit code another broker may hold the lock and be about to listen.
            guard end == .exited(ExitCode.cannotCreate.rawValue) else {
                starting = nil
                throw CommandFailure(
                    .unavailable,
                    "the broker started in the background ended at once; \(log.path) says why"
                )
            }
        }
        guard ContinuousClock.now < current.deadline else {
            starting = nil
            throw CommandFailure(
                .unavailable,
                "a broker was started but does not listen on \(endpoint) after "
                    + "\(patience.components.seconds) s; \(log.path) may say why"
            )
        }
    }

    private mutating func start(log: BrokerLog) throws(CommandFailure) -> ChildProcess {
        let descriptor = try log.openForAppending()
        defer { close(descriptor) }
        let arguments = [
            "broker", "--endpoint", endpoint.description, "--idle-exit", String(Self.idleExit),
            "--background",
        ]
        do {
            return try ChildProcess.start(
                arguments,
                environment: Self.environment(from: OwnProcess.environment),
                streams: .init(error: descriptor)
            )
        } catch {
            throw CommandFailure(
                .unavailable,
                "cannot start a broker in the background: \(error); start one by hand with "
                    + "`progressbus broker`"
            )
        }
    }

    /// The broker's environment: all variables but the ticket and the parent of this process.
    static func environment(from own: [String: String]) -> [String: String] {
        var environment = own
        environment["PROGRESSBUS_TICKET"] = nil
        environment["PROGRESSBUS_PARENT"] = nil
        // The broker changes to the root directory.
        if let state = own["PROGRESSBUS_STATE"], !state.isEmpty, !state.hasPrefix("/") {
            environment["PROGRESSBUS_STATE"] =
                FileManager.default.currentDirectoryPath + "/" + state
        }
        return environment
    }
}

extension BusEndpoint {
    /// Whether nobody listens on an ipc endpoint; false if unknown, and for tcp.
    var hasNoListener: Bool {
        guard case .ipc(let directory) = kind,
            case .nothing = ipcListenerState(path: directory + "/control")
        else { return false }
        return true
    }
}

/// The log of a broker in the background.
private struct BrokerLog {
    private static let largestSize: off_t = 1 << 20

    let path: String

    init(directory: String) {
        path = directory + "/broker.log"
    }

    /// Opens it for appending; emptied first once it has grown beyond 1 MiB.
    func openForAppending() throws(CommandFailure) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "cannot write \(path): \(String(cString: strerror(errno))); remove it or choose "
                    + "another directory with --endpoint"
            )
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > Self.largestSize {
            _ = ftruncate(descriptor, 0)
        }
        return descriptor
    }
}
