import ArgumentParser
import Essentials
import ProcessControl

/// The nats-server of a fleet on this machine.
///
/// It holds a lock from its start to its end, however that comes: so its pid, which is beside the
/// lock, is never taken for that of another process.
struct FleetServer {
    private let directory: String
    private let configuration: String

    init(_ server: FleetPlan.Server, in directory: FleetDirectory) {
        self.directory = directory.runPath(of: server)
        configuration = directory.configurationPath(of: server)
    }

    private var logPath: String { directory + "/nats-server.log" }
    private static let patience = Duration.seconds(10)
    /// Milliseconds between two looks.
    private static let pause: UInt32 = 20

    /// Its pid; `nil` where none runs.
    func pid() throws(CommandFailure) -> Int32? {
        let lock = try openLock()
        defer { close(lock) }
        guard flock(lock, LOCK_SH | LOCK_NB) != 0 else { return nil }
        let text = FileManager.default.contents(atPath: directory + "/nats-server.pid") ?? Data()
        return Int32(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
    }

    /// Starts it, and returns when it takes connections.
    func start() throws(CommandFailure) {
        let program = try OtherProgram.find("nats-server", package: "nats-server", for: "a fleet")
        let lock = try openLock()
        defer { close(lock) }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard try pid() == nil else { return }
            // Another process holds the lock while it asks whether the server runs, and tells nobody when
            // it has asked.
            usleep(Self.pause * 1_000)
        }
        let child: ChildProcess
        do {
            let log = try OtherProgram.openLog(logPath)
            defer { close(log) }
            child = try ChildProcess.start(
                program: program,
                ["-c", configuration],
                environment: OwnProcess.environment,
                streams: .init(error: log),
                kept: [lock],
                group: .own
            )
        } catch {
            throw CommandFailure(.unavailable, "nats-server cannot be started: \(error)")
        }
        let deadline = ContinuousClock.now + Self.patience
        while !isReady {
            guard child.endIfAny() == nil, ContinuousClock.now < deadline else {
                let advice =
                    lastError.contains("address already in use")
                    ? ". End what has its port, or set the fleet up with another one: --server NAME:PORT"
                    : ""
                throw CommandFailure(
                    .temporaryFailure,
                    "nats-server does not take connections; \(logPath) says why: \(lastError)\(advice)"
                )
            }
            // nats-server announces this in its log alone.
            usleep(Self.pause * 1_000)
        }
    }

    /// The version of the one that runs, as its log begins with; `nil` where it does not.
    var version: [Int]? {
        let line = log.split(separator: "\n").first { $0.contains(" Version: ") }
        let numbers = line?.split(separator: " ").last?.split(separator: ".").map { Int($0) }
        guard let numbers, !numbers.isEmpty, !numbers.contains(nil) else { return nil }
        return numbers.compactMap { $0 }
    }

    /// Has it read its configuration again.
    func reload() throws(CommandFailure) {
        if let pid = try pid() { kill(pid, SIGHUP) }
    }

    /// Ends it; whether it ran.
    func stop() throws(CommandFailure) -> Bool {
        guard let pid = try pid() else { return false }
        kill(pid, SIGTERM)
        let deadline = ContinuousClock.now + Self.patience
        while try self.pid() == pid {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure(
                    .temporaryFailure,
                    "nats-server (pid \(pid)) has been asked to end and has not yet"
                )
            }
            // It is not our child: nothing else announces its end.
            usleep(Self.pause * 1_000)
        }
        return true
    }

    private var log: String {
        String(
            decoding: FileManager.default.contents(atPath: logPath) ?? Data(),
            as: UTF8.self
        )
    }

    private var isReady: Bool { log.contains("Server is ready") }

    private var lastError: Substring { log.split(separator: "\n").last ?? "it says nothing" }

    private func openLock() throws(CommandFailure) -> Int32 {
        let path = directory + "/lock"
        try? FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "\(path) cannot be opened: \(String(cString: strerror(errno)))"
            )
        }
        return descriptor
    }
}
