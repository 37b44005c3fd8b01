import CLibrary

/// One connection of a bound socket, told apart from later ones at the same descriptor.
///
/// The descriptor alone would not do: the system gives it to the next connection again.
package struct PeerConnection: Sendable, Hashable {
    package let descriptor: Int32
    /// What libzmq knows of the other end; on ipc it ends in `:uid:gid:pid`.
    package let address: String
    /// The kernel's inode number for it; `nil` if it was closed before anybody looked.
    package let number: UInt64?

    package init(descriptor: Int32, address: String, number: UInt64?) {
        self.descriptor = descriptor
        self.address = address
        self.number = number
    }

    /// Looks up the kernel's number for the descriptor now.
    init(descriptor: Int32, address: String) {
        // Another connection may have the descriptor by now, hardly ever one of the same process.
        let isSame = Self.isPossible(address, at: descriptor)
        let number = isSame ? Self.number(of: descriptor) : nil
        self.init(descriptor: descriptor, address: address, number: number)
    }

    /// Whether the descriptor still belongs to this connection.
    package var isOpen: Bool { number != nil && Self.number(of: descriptor) == number }

    /// Shuts the connection down: libzmq then closes it, as if the peer had gone.
    ///
    /// libzmq has no call for that. If the descriptor passes to another connection between the
    /// check and the shutdown, that one ends, and its peer connects anew.
    package func cut() {
        guard isOpen else { return }
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// The address of the host at the other end of a tcp connection, as libzmq writes it.
    package static func host(at descriptor: Int32) -> String? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &size) == 0
                    && getnameinfo(
                        address,
                        size,
                        &host,
                        socklen_t(host.count),
                        nil,
                        0,
                        NI_NUMERICHOST
                    ) == 0
            }
        }
        guard result else { return nil }
        return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func number(of descriptor: Int32) -> UInt64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            return nil
        }
        return UInt64(status.st_ino)
    }

    private static func isPossible(_ address: String, at descriptor: Int32) -> Bool {
        #if os(Linux)
        guard let pid = pid(at: address) else { return true }
        return process(at: descriptor) == pid
        #else
        return true
        #endif
    }

    #if os(Linux)
    /// The process that made the connection, as the kernel says.
    private static func process(at descriptor: Int32) -> Int32? {
        // Its ucred: pid, uid, gid. The C library names it in a mode of its own only.
        var peer: [Int32] = [0, 0, 0]
        var size = socklen_t(peer.count * MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return nil }
        return peer[0]
    }
    #endif

    /// The connections among these descriptors that were accepted at one of the paths, by process.
    ///
    /// Leaves out connections of this process, and of processes without a pid here. Empty where the
    /// system does not tell the processes.
    package static func byProcess(
        among descriptors: [Int32],
        acceptedAt paths: [String]
    ) -> [Int32: [PeerConnection]] {
        var found: [Int32: [PeerConnection]] = [:]
        #if os(Linux)
        let own = getpid()
        for descriptor in descriptors {
            guard let pid = process(at: descriptor), pid > 0, pid != own,
                let path = path(of: descriptor), paths.contains(path)
            else { continue }
            found[pid, default: []].append(PeerConnection(descriptor: descriptor))
        }
        #endif
        return found
    }

    #if os(Linux)
    /// The path at which the socket or its listener was bound, even if it was renamed since.
    private static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: &address.sun_path) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
    #endif

    /// The pid at the end of `localhost:uid:gid:pid`, which libzmq gets from the kernel for ipc.
    package static func pid(at address: String) -> Int32? {
        let words = address.utf8.split(
            separator: UInt8(ascii: ":"),
            omittingEmptySubsequences: false
        )
        guard words.count == 4 else { return nil }
        return Int32(String(decoding: words[3], as: UTF8.self))
    }
}
