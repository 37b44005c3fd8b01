import ArgumentParser
import Essentials
import ProcessControl

/// The nats-server of a fleet on this machine.
///
/// The server's process holds a lock until it ends, however that happens. So the pid in the file
/// beside the lock is never taken for that of another process.
struct FleetServer {
    private let directory: String
    private let configuration: String

    init(_ server: FleetPlan.Server, in directory: FleetDirectory) {
        self.directory = directory.runPath(of: server)
        configuration = directory.configurationPath(of: server)
    }

    private var logPath: String { directory + "/nats-server.log" }
    private static let patience = Duration.seconds(10)
    /// Milliseconds between two checks.
    private static let pause: UInt32 = 20

    /// The server's pid; `nil` if it does not run.
    func pid() throws(CommandFailure) -> Int32? {
        let lock = try openLock()
        defer { close(lock) }
        guard flock(lock, LOCK_SH | LOCK_NB) != 0 else { return nil }
        let text = FileManager.default.contents(atPath: directory + "/nats-server.pid") ?? Data()
        return Int32(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
    }

    /// Starts the server unless it runs, and returns when it takes connections.
    func start() throws(CommandFailure) {
        let program = try OtherProgram.find("nats-server", package: "nats-server", for: "a fleet")
        let lock = try openLock()
        defer { close(lock) }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard try pid() == nil else { return }
            // Another process holds the lock for a moment, to ask whether the server runs. Nothing
            // announces when it is done.
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

    /// The server's version, as its log states it; `nil` if the log does not.
    var version: [Int]? {
        let line = log.split(separator: "\n").first { $0.contains(" Version: ") }
        let numbers = line?.split(separator: " ").last?.split(separator: ".").map { Int($0) }
        guard let numbers, !numbers.isEmpty, !numbers.contains(nil) else { return nil }
        return numbers.compactMap { $0 }
    }

    /// Makes the server read its configuration again.
    func reload() throws(CommandFailure) {
        if let pid = try pid() { kill(pid, SIGHUP) }
    }

    /// Ends the server; returns whether it ran.
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
            // The server is not our child: nothing else announces its end.
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
