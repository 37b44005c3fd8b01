import Foundation
import Synchronization
import Testing
import ZeroMQ

/// A bus of one test: its own endpoint, its own state, the processes the test has started on it.
///
/// Use it through `withBus`, which ends and removes all of it. Safe to use from any thread.
final class TemporaryBus: Sendable {
    /// The bus of the running test, for the transcript of a failure.
    @TaskLocal static var current: TemporaryBus?

    private struct State {
        var children: [ChildProcess] = []
        var number = 0
    }

    /// Everything is below here.
    let directory: String
    /// The directory of the sockets.
    let socketDirectory: String
    let stateDirectory: String
    private let state = Mutex(State())

    fileprivate init() throws {
        let name = "pb-e2e-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let temporary = NSTemporaryDirectory()
        // Paths of sockets end at 103 bytes.
        let parent = temporary.utf8.count < 60 ? temporary : "/tmp/"
        directory = parent + (parent.hasSuffix("/") ? "" : "/") + name
        socketDirectory = directory + "/bus"
        stateDirectory = directory + "/state"
        for path in [directory, socketDirectory, stateDirectory] {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    var endpoint: String {
        "ipc://" + socketDirectory
    }

    /// All processes started on this bus, the oldest first.
    var children: [ChildProcess] {
        state.withLock { $0.children }
    }

    /// What processes on this bus find in their environment.
    var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("PROGRESSBUS_")
        }
        environment["PROGRESSBUS_ENDPOINT"] = endpoint
        environment["PROGRESSBUS_STATE"] = stateDirectory
        return environment
    }

    /// A path of its own for a file of the test.
    func path(_ name: String) -> String {
        directory + "/" + name
    }

    /// Starts a program with the environment of this bus and what is added to it.
    func start(
        program: String,
        _ arguments: [String],
        adding additions: [String: String] = [:]
    ) throws -> ChildProcess {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let child = try ChildProcess(
            ProgramStart(
                path: program,
                arguments: arguments,
                environment: environment.merging(additions) { $1 },
                outputPath: path("\(number).out"),
                errorPath: path("\(number).err")
            )
        )
        state.withLock { $0.children.append(child) }
        return child
    }

    /// The pid of the broker that listens, as its lock file says; nil if none does.
    ///
    /// The lock itself is not asked: whoever tries it holds it for a moment.
    var brokerPID: pid_t? {
        guard isListening else { return nil }
        let text = FileManager.default.contents(atPath: socketDirectory + "/lock") ?? Data()
        return pid_t(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
    }

    /// Whether a broker accepts connections.
    var isListening: Bool {
        ipcListenerState(path: socketDirectory + "/control") == .listening
    }

    /// Ends every process and removes every file.
    fileprivate func remove() {
        for child in children { child.destroy() }
        // A broker that was started in the background is nobody's child.
        if let pid = brokerPID, pid > 1, pid != getpid() { kill(pid, SIGKILL) }
        #if os(Linux)
        // A test that mounts something and fails must not leave it there.
        umount2(stateDirectory, Int32(MNT_DETACH))
        #endif
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Those who wait for a bus, in the order in which they came: all at once would wait for the
/// processor, not for the bus.
///
/// The wait counts as the test's own time, so that nobody may overtake.
private struct Queue {
    static let busesAtATime = 4
    var arrived = 0
    var left = 0
}

private let queue = Mutex(Queue())

/// Runs a test on a bus of its own; all that was started on it has ended when this returns.
///
/// What the body throws is recorded here, while the processes and what they said are still there.
func withBus(_ body: (TemporaryBus) async throws -> Void) async throws {
    // A test that has a bus and wants another would wait for its own end.
    guard TemporaryBus.current == nil else { return try await withBusNow(body) }
    let number = queue.withLock { queue in
        queue.arrived += 1
        return queue.arrived
    }
    defer { queue.withLock { $0.left += 1 } }
    while !queue.withLock({ number <= $0.left + Queue.busesAtATime }) {
        try await Task.sleep(for: .milliseconds(20))
    }
    try await withBusNow(body)
}

private func withBusNow(_ body: (TemporaryBus) async throws -> Void) async throws {
    let bus = try TemporaryBus()
    defer { bus.remove() }
    await TemporaryBus.$current.withValue(bus) {
        do {
            try await body(bus)
        } catch is ExpectationFailedError {
            // Recorded where it failed.
        } catch {
            Issue.record(error)
        }
    }
}
