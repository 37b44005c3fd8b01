import Foundation
import ProcessControl

/// An sshd on the loopback with keys of its own, and an `ssh` that knows it as `far`.
final class RemoteSide {
    private let server: ChildProcess
    /// Where that `ssh` is.
    let programs: String

    /// `nil` if there is no sshd, or it does not start.
    init?(in directory: String, port: Int) async {
        programs = directory + "/bin"
        let far = directory + "/far"
        let (host, user) = (far + "/host", far + "/user")
        let serverSettings = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(host)
            AuthorizedKeysFile \(user).pub
            PidFile none
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            PermitRootLogin yes
            MaxStartups 200

            """
        let options = [
            "HostName=127.0.0.1", "Port=\(port)", "IdentityFile=\(user)", "IdentitiesOnly=yes",
            "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR",
        ]
        let client = "exec /usr/bin/ssh -F /dev/null -o \(options.joined(separator: " -o ")) \"$@\""
        let files = [
            far + "/sshd_config": serverSettings, programs + "/ssh": "#!/bin/sh\n\(client)\n",
        ]
        for folder in [far, programs] { mkdir(folder, 0o700) }
        for (path, text) in files {
            guard (try? Data(text.utf8).write(to: URL(fileURLWithPath: path))) != nil else {
                return nil
            }
            chmod(path, 0o700)
        }
        func start(_ program: String, _ words: [String]) -> ChildProcess? {
            let log = far + "/" + (program as NSString).lastPathComponent + ".log"
            return ChildProcess(program, words, environment: [:], output: log)
        }
        for name in [host, user] {
            let words = ["-q", "-t", "ed25519", "-N", "", "-f", name]
            guard let maker = start("/usr/bin/ssh-keygen", words) else { return nil }
            while maker.endIfAny() == nil { try? await Task.sleep(for: .milliseconds(5)) }
        }
        guard let server = start("/usr/sbin/sshd", ["-D", "-e", "-f", far + "/sshd_config"]) else {
            return nil
        }
        self.server = server
        while server.endIfAny() == nil {
            let log = try? String(contentsOfFile: far + "/sshd.log", encoding: .utf8)
            if log?.contains("Server listening") == true { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    /// Ends it and every connection.
    func end() {
        for pid in ProcessTree.descendants(of: server.pid) { kill(pid, SIGKILL) }
        server.destroy()
    }
}
