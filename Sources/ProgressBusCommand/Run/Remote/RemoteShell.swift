import BusProtocol
import ProcessControl
import TaskTree

/// A command on another machine as a command of ssh here.
///
/// The sockets of this machine's bus are forwarded to it, so that what reports there reports here.
/// Nothing of ours needs to be installed there: a shell does what there is to do.
struct RemoteShell: Hashable, Sendable {
    let machine: RemoteBus
    /// What ssh is given besides, such as `-i key`.
    let options: [SystemString]
    let bus: BusEndpoint
    /// Nobody is asked anything, and where ssh fails it does so soon and in silence.
    var isOneOfMany = false

    /// The status of ssh where it has no connection.
    static let notReached: Int32 = 255

    private static let prefix = "/tmp/progressbus-ssh."

    /// How long a command that is cancelled may go on where it reports to this bus; see `RunRules`.
    ///
    /// What is itself a command of another `progressbus ssh` must have ended before that one has.
    static func patience(for bus: BusEndpoint) -> Double {
        isForwarded(bus) ? 1 : 2
    }

    /// Whether this is the bus of another machine, on which `progressbus ssh` has begun what runs here.
    static func isForwarded(_ bus: BusEndpoint) -> Bool {
        bus.controlAddress.hasPrefix("ipc://" + prefix)
    }

    /// What viewers call the machine.
    var host: String { machine.host }

    /// What the title of a task says of it, behind the command.
    var place: [SystemString] { ["on", SystemString(machine.machine)] }

    /// A random name for one command's directory there, and the beginning of the names that its
    /// sockets have until they are in it; sshd makes them, and only its user can connect to them.
    static func newName() -> String { prefix + String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// The words of ssh.
    func words(
        for command: [SystemString],
        as task: TaskID,
        named name: String,
        hasTerminal: Bool
    ) -> [SystemString] {
        var words: [SystemString] = ["ssh"]
        var settings = [
            "ExitOnForwardFailure=yes",
            // For `ConnectionGuard` alone: a connection that others share would outlive the command.
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
        // Behind what was given, of which ssh takes the first: a link that says nothing for two minutes
        // is given up.
        words += ["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=24"]
        words += ["--", SystemString(machine.machine)]
        let arguments = [name, task.description, host].map { SystemString($0) } + command
        let quoted = arguments.map { Self.quoted($0).bytes }.joined(separator: [0x20])
        let line = SystemString("exec sh -c '\(script)' sh ").bytes + Array(quoted)
        return words + [SystemString(bytes: line)]
    }

    /// The three sockets of the bus, as ssh names them.
    private var addresses: [(name: String, address: String)] {
        let all = [
            ("control", bus.controlAddress), ("reports", bus.reportsAddress),
            ("updates", bus.updatesAddress),
        ]
        return all.map { name, address in
            (name, String(address.dropFirst("ipc://".count)))
        }
    }

    /// What runs there before and after the command.
    ///
    /// No single quote may be in it: `words` puts it between two.
    ///
    /// The sockets come into a directory that only this user can enter, and that goes with the
    /// connection; the control socket goes as soon as the command has ended by itself. When the
    /// connection goes, so does the process of sshd that is our parent. If that socket is still there
    /// then, or one by which `ConnectionGuard` has said that the command was cancelled, the group of
    /// the command gets SIGTERM, and SIGKILL when the command has ended, after ten seconds at the
    /// latest.
    ///
    /// Where that process of sshd ended before the shell began, process 1 is the parent of the shell,
    /// which would wait for it for ever. sshd never runs a command as a child of process 1 itself.
    ///
    /// A command may end because the connection goes, or because it is cancelled, a moment before that
    /// can be seen. One that has failed may well have been cancelled.
    private var script: String {
        // Of many, 255 is what ssh says of itself; a command that ends so is told from that.
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

    /// A word as shells read it, whatever is in it.
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
    /// Reads `HOST[:NUMBER],…`: machines, and how many commands run there at a time, `slots` where
    /// that is not said; a port is a matter of ssh's configuration.
    ///
    /// - Throws: Exit code 64 where something is no machine or no number.
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
