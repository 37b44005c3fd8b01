/// The machines that many commands are spread over, and what is free on each.
struct HostPool: Hashable, Sendable {
    private struct Host: Hashable, Sendable {
        let shell: RemoteShell
        /// So many commands run there at a time.
        let slots: Int
        var running = 0
        /// Connections in a row that did not come about, or broke.
        var failures = 0

        var isLeftOut: Bool { failures >= HostPool.patience }
    }

    /// A server refuses a connection now and then where many come at once; that often in a row it is
    /// not there.
    private static let patience = 3

    private var hosts: [Host]

    /// - Parameter hosts: What runs a command on each machine, and how many of them at a time.
    init(_ hosts: [(shell: RemoteShell, slots: Int)]) {
        self.hosts = hosts.map { Host(shell: $0.shell, slots: $0.slots) }
    }

    /// How many commands may run on all machines that can be reached.
    var slots: Int {
        hosts.reduce(0) { $0 + ($1.isLeftOut ? 0 : $1.slots) }
    }

    /// Takes a place on the machine that has the smallest part of its slots in use, the first of
    /// several; `nil` where all are in use.
    mutating func take() -> (host: Int, shell: RemoteShell)? {
        let free = hosts.indices.filter {
            hosts[$0].running < hosts[$0].slots && !hosts[$0].isLeftOut
        }
        // a/b < c/d without a division.
        guard
            let host = free.min(by: {
                hosts[$0].running * hosts[$1].slots < hosts[$1].running * hosts[$0].slots
            })
        else { return nil }
        hosts[host].running += 1
        return (host, hosts[host].shell)
    }

    /// Gives a place back after a command, whose connection lasted until its end or did not; returns
    /// the machine if it is left out from now on.
    mutating func giveBack(_ host: Int, isReached: Bool) -> RemoteShell? {
        let wasLeftOut = hosts[host].isLeftOut
        hosts[host].running -= 1
        hosts[host].failures = isReached ? 0 : hosts[host].failures + 1
        return hosts[host].isLeftOut && !wasLeftOut ? hosts[host].shell : nil
    }
}
