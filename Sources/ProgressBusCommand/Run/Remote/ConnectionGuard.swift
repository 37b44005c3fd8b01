import ProcessControl

/// A helper shell beside ssh, which passes on a cancel and kills an ssh that outlives this process.
///
/// It kills ssh however this process has ended, even by SIGKILL, connected or not. It reads the pid
/// of ssh, then a line `cancel` for a cancel, and at last `end`. If its input ends without that,
/// this process has ended.
final class ConnectionGuard: Sendable {
    private let line: Int32
    private let pid: Int32

    /// - Parameters:
    ///   - name: The command's directory. The other machine looks there for a socket `cancelled`,
    ///     which sshd makes: no program is run there for it.
    ///   - machine: The machine, as ssh names it.
    ///   - ssh: The request with which ssh is started.
    /// - Throws: An error if no descriptor or no process is left.
    init(of name: String, on machine: String, beside ssh: SpawnRequest) throws(StartError) {
        let pipe = try Pipe()
        defer { close(pipe.reading) }
        _ = fcntl(pipe.reading, F_SETFL, 0)
        var request = ssh
        request.path = "/bin/sh"
        request.arguments =
            ["sh", "-c", SystemString(Self.script), "sh", ssh.path]
            + [name, machine].map { SystemString($0) }
        request.streams = [pipe.reading, nil, nil]
        request.kept = []
        request.group = .own
        do throws(StartError) {
            pid = try request.start()
        } catch {
            close(pipe.writing)
            throw error
        }
        line = pipe.writing
    }

    /// Tells the shell the pid of ssh.
    ///
    /// The shell starts before ssh, so that it is there when ssh runs.
    func guards(ssh pid: Int32) { say("\(pid)") }

    func tellOfCancel() { say("cancel") }

    private func say(_ word: String) {
        let bytes = Array((word + "\n").utf8)
        _ = write(line, bytes, bytes.count)
    }

    deinit {
        // From here on the pid of ssh may belong to another process.
        say("end")
        close(line)
        // The shell ends at once: ssh has ended, so that nothing in the shell waits for it.
        ProcessEnd.wait(for: pid)
    }

    private static let script = """
        trap "" HUP INT QUIT TERM
        read -r pid && [ "$pid" != end ] || exit
        while read -r line; do
            [ "$line" = cancel ] || { rm -f "$2.ssh"; exit; }
            "$1" -S "$2.ssh" -O forward -R "$2/cancelled:/dev/null" -- "$3"
        done
        kill -KILL "$pid" 2>/dev/null
        rm -f "$2.ssh"
        """
}
