import BusProtocol

/// The arguments of ssh; the person's ssh configuration holds for everything else.
struct TunnelArguments: Sendable {
    let remote: RemoteBus
    /// The directory of the sockets here.
    let directory: String

    /// The socket by which one ssh uses the connection of another.
    var masterPath: String { directory + "/master" }

    /// The arguments of the ssh that connects, asks where the bus is, and stays.
    ///
    /// With `asksPerson` it may ask the person for a password or about a new host.
    func connect(asksPerson: Bool) -> [String] {
        let options = [
            "ControlMaster=yes", "ControlPersist=no", "ControlPath=\(masterPath)",
            "BatchMode=\(asksPerson ? "no" : "yes")", "ConnectTimeout=15",
            // A link that says nothing for 15 s is given up and made again.
            "ServerAliveInterval=5", "ServerAliveCountMax=3",
            // Replaces socket files that a lost connection has left.
            "StreamLocalBindUnlink=yes",
            // Options that the person's configuration has for logins do not hold here.
            "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", "RemoteCommand=none",
            "RequestTTY=no", "PermitLocalCommand=no",
        ]
        return words(options, [RemoteAnswer.question(directory: remote.directory)])
    }

    /// The arguments of the ssh that forwards the sockets of a directory on the other machine.
    func forward(from there: String) -> [String] {
        let sockets = ["control", "updates"].flatMap { name in
            ["-L", "\(directory)/\(name):\(there)/\(name)"]
        }
        let options = ["ControlPath=\(masterPath)", "StreamLocalBindUnlink=yes"]
        return ["-O", "forward"] + sockets + words(options, [])
    }

    private func words(_ options: [String], _ command: [String]) -> [String] {
        options.flatMap { ["-o", $0] } + (remote.port.map { ["-p", String($0)] } ?? [])
            + ["--", remote.machine] + command
    }
}
