import Foundation
import ProcessControl
import Synchronization

/// A machine that ssh reaches: a real sshd on an address of the loopback, with keys of its own.
///
/// The bus of the test is its bus too; viewers come to it through sshd alone. It ends with its bus.
final class RemoteMachine: Sendable {
    /// What ssh calls it; in the documentation it is `render-1`.
    static let name = "far"

    private static let server = "/usr/sbin/sshd"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: server) }

    private let bus: TemporaryBus
    private let sshd: Mutex<ChildProcess>
    private let port: Int

    /// Starts it.
    ///
    /// Unless it is known, ssh asks the person about its key. Where it has the program, progressbus is
    /// found on it.
    static func start(
        on bus: TemporaryBus,
        isKnown: Bool = true,
        hasProgram: Bool = false
    ) async throws -> RemoteMachine {
        for name in ["host", "user"] {
            let key = bus.path(name)
            let words = ["-q", "-t", "ed25519", "-N", "", "-f", key]
            let maker = try bus.start(program: "/usr/bin/ssh-keygen", words)
            try await maker.finish()
        }
        let port = FreePort.any()
        let machine = try RemoteMachine(bus, port: port, isKnown: isKnown, hasProgram: hasProgram)
        try await machine.listen()
        return machine
    }

    private init(_ bus: TemporaryBus, port: Int, isKnown: Bool, hasProgram: Bool) throws {
        (self.bus, self.port) = (bus, port)
        let programs = try Programs.progressbus().split(separator: "/").dropLast()
        let path = (hasProgram ? "/" + programs.joined(separator: "/") + ":" : "") + "/usr/bin:/bin"
        try bus.write(
            """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(bus.path("host"))
            AuthorizedKeysFile \(bus.path("user.pub"))
            PidFile none
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            PermitRootLogin yes
            SetEnv PROGRESSBUS_ENDPOINT=\(bus.endpoint) PROGRESSBUS_STATE=\(bus.stateDirectory) PATH=\(path)
            """,
            to: "sshd_config"
        )
        try bus.write(
            """
            Host \(Self.name) render-1
              HostName 127.0.0.1
              Port \(port)
              IdentityFile \(bus.path("user"))
              IdentitiesOnly yes
              UserKnownHostsFile \(bus.path("known"))
              StrictHostKeyChecking \(isKnown ? "accept-new" : "ask")
            """,
            to: "ssh_config"
        )
        // ssh reads the configuration in the home of the user, whatever HOME says.
        try FileManager.default.createDirectory(
            atPath: bus.path("bin"),
            withIntermediateDirectories: true
        )
        try bus.writeScript(
            """
            #!/bin/sh
            for word; do
                case $word in ControlPath=*) echo "${word#ControlPath=}" >>'\(bus.path("sockets"))' ;; esac
            done
            exec /usr/bin/ssh -F '\(bus.path("ssh_config"))' "$@"

            """,
            to: bus.path("bin/ssh")
        )
        sshd = Mutex(try Self.startServer(on: bus))
    }

    private static func startServer(on bus: TemporaryBus) throws -> ChildProcess {
        try bus.start(program: server, ["-D", "-e", "-f", bus.path("sshd_config")])
    }

    private func listen() async throws {
        let sshd = sshd.withLock { $0 }
        try await eventually("sshd listens", instead: { sshd.errorOutput }) {
            sshd.errorOutput.contains("Server listening")
        }
    }

    /// Where an `ssh` is that knows it.
    var programs: String { bus.path("bin") }

    /// What viewers find in their environment: this ssh, and no bus on this machine.
    var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "PATH": programs + ":" + path, "PROGRESSBUS_ENDPOINT": "",
        ]
    }

    /// The paths of the sockets of all connections so far, as its `ssh` was told.
    private var sockets: [Substring] {
        let text = (try? String(contentsOfFile: bus.path("sockets"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("/tmp/progressbus-") }
    }

    /// Whether a command was to run there.
    var hasConnected: Bool { !sockets.isEmpty }

    /// The names of what its commands have in `/tmp`, on both machines, while they run.
    func files() -> [String] {
        let names = sockets.map { $0.dropFirst("/tmp/".count).dropLast(".ssh".count) }
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
        return all.filter { file in names.contains { file == $0 || file.hasPrefix($0 + ".") } }
    }

    /// The processes that serve a connection to it, and what runs there for it.
    func connections() -> [Int32] {
        ProcessTree.descendants(of: sshd.withLock(\.pid))
    }

    /// Cuts all connections and takes no more.
    func leave() async throws {
        let (sshd, connections) = (sshd.withLock { $0 }, connections())
        sshd.send(SIGTERM)
        try await sshd.end()
        for pid in connections { kill(pid, SIGKILL) }
    }

    /// Takes connections again.
    func comeBack() async throws {
        let server = try Self.startServer(on: bus)
        sshd.withLock { $0 = server }
        try await listen()
    }
}

extension TemporaryBus {
    /// Writes a file of the test.
    fileprivate func write(_ text: String, to name: String) throws {
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path(name)))
    }
}
