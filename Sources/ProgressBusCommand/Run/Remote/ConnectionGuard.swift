import ProcessControl

/// A shell beside an ssh that runs a command: it tells the other machine that the command was
/// cancelled, and kills ssh where this process ends before ssh does, killed perhaps, connected or not.
///
/// It reads the pid of ssh, then a line for each thing to tell, at last "end"; or the end of its input
/// where this process has ended before.
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

    /// Tells the shell which process ssh is: the shell starts first, so that nothing can kill this
    /// process while ssh runs without it.
    func guards(ssh pid: Int32) { say("\(pid)") }

    func tellOfCancel() { say("cancel") }

    private func say(_ word: String) {
        let bytes = Array((word + "\n").utf8)
        _ = write(line, bytes, bytes.count)
    }

    deinit {
        // From here on the number of ssh may be another process'.
        say("end")
        close(line)
        // ssh has ended, so that there is nothing left to wait for.
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
