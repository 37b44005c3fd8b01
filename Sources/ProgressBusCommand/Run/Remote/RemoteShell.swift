import BusProtocol
import ProcessControl
import TaskTree

/// Makes an ssh command of a command that is to run on another machine.
///
/// ssh forwards the sockets of this machine's bus, so that programs there report here. Nothing of
/// ours needs to be installed there: a shell script does the rest.
struct RemoteShell: Hashable, Sendable {
    let machine: RemoteBus
    /// More options for ssh, such as `-i key`.
    let options: [SystemString]
    let bus: BusEndpoint
    /// Whether ssh asks nothing and fails soon and silently, because it is one of many.
    var isOneOfMany = false

    /// The exit status of ssh without a connection.
    static let notReached: Int32 = 255

    private static let prefix = "/tmp/progressbus-ssh."

    /// Seconds that a cancelled command has to end by itself if it reports here; see `RunRules`.
    ///
    /// A `progressbus ssh` inside another one has fewer, because its command must end first.
    static func patience(for bus: BusEndpoint) -> Double {
        isForwarded(bus) ? 1 : 2
    }

    /// Whether the bus is that of another machine, whose `progressbus ssh` has started this
    /// process.
    static func isForwarded(_ bus: BusEndpoint) -> Bool {
        bus.controlAddress.hasPrefix("ipc://" + prefix)
    }

    /// The name of the machine for viewers.
    var host: String { machine.host }

    /// The words behind the command in the title of a task.
    var place: [SystemString] { ["on", SystemString(machine.machine)] }

    /// A random path for the directory of one command on the other machine.
    ///
    /// It is also the beginning of the sockets' paths until they are moved into the directory. sshd
    /// makes the sockets, and only its user can connect to them.
    static func newName() -> String { prefix + String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// The words of the ssh command.
    func words(
        for command: [SystemString],
        as task: TaskID,
        named name: String,
        hasTerminal: Bool
    ) -> [SystemString] {
        var words: [SystemString] = ["ssh"]
        var settings = [
            "ExitOnForwardFailure=yes",
            // For `ConnectionGuard` alone: a shared connection would outlive the command.
            "ControlMaster=yes", "ControlPath=\(name).ssh", "ControlPersist=no",
            "RemoteCommand=none", hasTerminal ? "RequestTTY=yes" : "RequestTTY=no",
        ]
        if isOneOfMany { settings += ["BatchMode=yes", "ConnectTimeout=10", "LogLevel=QUIET"] }
        for setting in settings { words += ["-o", SystemString(setting)] }
        for (socket, address) in addresses {
            words += ["-R", SystemString("\(name).\(socket):\(address)")]
        }
        if let port = machine.port { words += ["-p", SystemString(String(port))] }
        words += options
        // Behind the given options, because ssh takes the first of each kind: a link is given up
        // that is silent for two minutes.
        words += ["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=24"]
        words += ["--", SystemString(machine.machine)]
        let arguments = [name, task.description, host].map { SystemString($0) } + command
        let quoted = arguments.map { Self.quoted($0).bytes }.joined(separator: [0x20])
        let line = SystemString("exec sh -c '\(script)' sh ").bytes + Array(quoted)
        return words + [SystemString(bytes: line)]
    }

    /// The three sockets of the bus as paths.
    private var addresses: [(name: String, address: String)] {
        let all = [
            ("control", bus.controlAddress), ("reports", bus.reportsAddress),
            ("updates", bus.updatesAddress),
        ]
        return all.map { name, address in
            (name, String(address.dropFirst("ipc://".count)))
        }
    }

    /// The shell script around the command on the other machine.
    ///
    /// No single quote may be in it: `words` puts it between two.
    ///
    /// It moves the sockets into a directory that only this user can enter. It removes the control
    /// socket as soon as the command has ended by itself, and the directory when the connection
    /// goes. A watcher sees that by the end of the process of sshd, the script's parent. If the
    /// control socket is still there then, or the socket `cancelled` of `ConnectionGuard`, the
    /// watcher sends SIGTERM to the command's group. It sends SIGKILL when the command has ended,
    /// after ten seconds at the latest.
    ///
    /// If sshd's process ended before the script began, process 1 is the script's parent and would
    /// never end, so the script gives up. sshd never runs a command as a child of process 1.
    ///
    /// A command may end because of a lost connection or a cancel a moment before that can be seen,
    /// so the script waits a little, and longer after a failure.
    private var script: String {
        // One of many must not end with 255, the status of ssh itself: its 255 becomes 254.
        Self.around + (isOneOfMany ? " [ $r = 255 ] && r=254; exit $r" : " exit $r")
    }

    private static let around = """
        d=$1; PROGRESSBUS_PARENT=$2; PROGRESSBUS_HOST=$3; shift 3; \
        [ $PPID != 1 ] || { rm -f "$d.control" "$d.reports" "$d.updates"; exit 255; }; \
        mkdir -m 700 "$d" || exit 255; \
        for s in control reports updates; do mv "$d.$s" "$d/$s" || exit 255; done; \
        PROGRESSBUS_ENDPOINT=ipc://$d; \
        export PROGRESSBUS_ENDPOINT PROGRESSBUS_PARENT PROGRESSBUS_HOST; \
        unset PROGRESSBUS_TICKET; \
        trap : HUP INT QUIT TERM; \
        { trap "" HUP; while kill -0 $PPID; do sleep 1; done; \
        [ -e "$d/control" ] || [ -e "$d/cancelled" ] || { rm -rf "$d"; exit; }; \
        trap "" TERM; kill -TERM 0; \
        n=0; while sleep 1; kill -0 $$ && [ $n -lt 9 ]; do n=$((n + 1)); done; \
        rm -rf "$d"; kill -KILL 0; } </dev/null >/dev/null 2>&1 & \
        "$@"; r=$?; sleep 0.05; [ $r = 0 ] || sleep 0.2; \
        kill -0 $PPID 2>/dev/null && rm -f "$d/control";
        """

    /// Quotes a word for a shell.
    private static func quoted(_ word: SystemString) -> SystemString {
        var bytes = [UInt8(ascii: "'")]
        for byte in word.bytes {
            if byte == UInt8(ascii: "'") {
                bytes += Array("'\\''".utf8)
            } else {
                bytes.append(byte)
            }
        }
        return SystemString(bytes: bytes + [UInt8(ascii: "'")])
    }
}

extension RemoteShell {
    /// Reads `HOST[:NUMBER],…`, with the most commands at a time there, or `slots` without a
    /// number.
    ///
    /// A port can be set in ssh's configuration only.
    ///
    /// - Throws: Exit code 64 if a machine or a number is not valid.
    static func list(
        _ text: String,
        slots: Int,
        bus: BusEndpoint
    ) throws(CommandFailure) -> [(shell: RemoteShell, slots: Int)] {
        var list: [(shell: RemoteShell, slots: Int)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var number = slots
            if pieces.count == 2 {
                guard let said = Int(pieces[1]), (1...256).contains(said) else {
                    throw CommandFailure(
                        .usage,
                        "\"\(part)\" in --on: behind the machine stands a number from 1 to 256"
                    )
                }
                number = said
            }
            do {
                let machine = try RemoteBus(machine: String(pieces.first ?? ""))
                let shell = RemoteShell(machine: machine, options: [], bus: bus, isOneOfMany: true)
                list.append((shell, number))
            } catch {
                throw CommandFailure(.usage, error.sentence)
            }
        }
        return list
    }
}
