/// Where a broker listens: one base, from which the addresses of its three sockets follow.
package struct BusEndpoint: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A directory with the sockets `control`, `reports` and `updates` and the file `lock`.
        case ipc(directory: String)
        /// Three ports: control on `port`, updates on the next, reports on the one after.
        case tcp(host: String, port: Int)
    }

    package let kind: Kind
    /// This user's membership of a bus with keys; `nil` for a bus that lets in whoever reaches it.
    package let membership: Membership?

    /// The longest path that fits into a socket's address on every system we run on.
    static let longestPath = 103

    package var controlAddress: String { address("control", portsAbove: 0) }
    package var updatesAddress: String { address("updates", portsAbove: 1) }
    package var reportsAddress: String { address("reports", portsAbove: 2) }

    /// The file whose lock the broker of an ipc endpoint holds; `nil` for tcp.
    package var lockPath: String? { path(of: "lock") }

    /// The path of the control socket in the file system; `nil` for tcp.
    package var controlPath: String? { path(of: "control") }

    /// The directory in which sessions leave what no broker has acknowledged; `nil` for tcp.
    package var spoolPath: String? { path(of: "spool") }

    private func path(of file: String) -> String? {
        if case .ipc(let directory) = kind { directory + "/" + file } else { nil }
    }

    /// Whether only programs on this machine can reach the bus.
    package var isLoopback: Bool {
        switch kind {
        case .ipc: true
        case .tcp(let host, _): host == "[::1]" || host.isLoopbackAddress
        }
    }

    private func address(_ socket: String, portsAbove offset: Int) -> String {
        switch kind {
        case .ipc(let directory): "ipc://\(directory)/\(socket)"
        case .tcp(let host, let port): "tcp://\(host):\(port + offset)"
        }
    }
}

extension BusEndpoint: CustomStringConvertible {
    /// The text that `resolve` reads; it never has a key in it.
    package var description: String {
        if let membership { return membership.bus }
        return switch kind {
        case .ipc(let directory): "ipc://\(directory)"
        case .tcp(let host, let port): "tcp://\(host):\(port)"
        }
    }
}

extension String {
    /// Whether it is 127.x.y.z in decimal; no name counts, as a name may point anywhere.
    package var isLoopbackAddress: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
