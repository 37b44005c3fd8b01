import ProcessControl

/// A shell beside an ssh that runs a command: it tells the other machine that the command was
/// cancelled, and closes the connection where this process ends before ssh does, killed perhaps.
///
/// It reads a line for each thing to tell, and the end of them when this process has ended.
final class ConnectionGuard: Sendable {
    private let line: Int32
    private let pid: Int32

    /// - Parameters:
    ///   - name: Of the command's directory; a socket `cancelled` in it is what the other machine
    ///     looks for. sshd makes it: nothing is run there for it.
    ///   - machine: As ssh calls it.
    ///   - ssh: What the ssh itself was started with.
    /// - Throws: That there is no descriptor or no process left.
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

    deinit {
        close(line)
        // ssh has ended, so that there is nothing left to wait for.
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }

    func tellOfCancel() {
        _ = write(line, "\n", 1)
    }

    private static let script = """
        trap "" HUP INT QUIT TERM
        while read -r line; do "$1" -S "$2.ssh" -O forward -R "$2/cancelled:/dev/null" -- "$3"; done
        [ ! -S "$2.ssh" ] || { "$1" -S "$2.ssh" -O exit -- "$3"; rm -f "$2.ssh"; }
        """
}
