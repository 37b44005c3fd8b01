/// The machines over which the commands of a batch are spread, and the free slots of each.
struct HostPool: Hashable, Sendable {
    private struct Host: Hashable, Sendable {
        let shell: RemoteShell
        /// The most commands that run there at a time.
        let slots: Int
        var running = 0
        /// Connections in a row that could not be made, or broke.
        var failures = 0

        var isLeftOut: Bool { failures >= HostPool.patience }
    }

    /// The number of failed connections in a row after which a machine is left out.
    ///
    /// A server refuses one now and then if many come at once.
    private static let patience = 3

    private var hosts: [Host]

    /// - Parameter hosts: The shell of each machine, and the most commands at a time there.
    init(_ hosts: [(shell: RemoteShell, slots: Int)]) {
        self.hosts = hosts.map { Host(shell: $0.shell, slots: $0.slots) }
    }

    /// How many commands may run on all machines that can be reached.
    var slots: Int {
        hosts.reduce(0) { $0 + ($1.isLeftOut ? 0 : $1.slots) }
    }

    /// Takes a slot on the machine with the smallest part of its slots in use; `nil` if none is
    /// free.
    ///
    /// Of several such machines it is the first.
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

    /// Gives a slot back after a command; returns the machine if it is left out from now on.
    ///
    /// `isReached` says whether the connection lasted until the command's end.
    mutating func giveBack(_ host: Int, isReached: Bool) -> RemoteShell? {
        let wasLeftOut = hosts[host].isLeftOut
        hosts[host].running -= 1
        hosts[host].failures = isReached ? 0 : hosts[host].failures + 1
        return hosts[host].isLeftOut && !wasLeftOut ? hosts[host].shell : nil
    }
}
