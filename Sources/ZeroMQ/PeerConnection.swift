#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection of a bound socket, as a message from it names it.
///
/// A descriptor alone would not do: the system gives the same one to the next connection.
package struct PeerConnection: Sendable, Hashable {
    package let descriptor: Int32
    /// What libzmq knows of the other end; on ipc it ends in `:uid:gid:pid`.
    package let address: String
    /// The kernel's number for it; `nil` if it was closed before anybody looked.
    package let number: UInt64?

    package init(descriptor: Int32, address: String, number: UInt64?) {
        self.descriptor = descriptor
        self.address = address
        self.number = number
    }

    /// Looks at the descriptor now.
    init(descriptor: Int32, address: String) {
        // The next connection may have it by now; hardly ever of the same process.
        let isSame = Self.isPossible(address, at: descriptor)
        let number = isSame ? Self.number(of: descriptor) : nil
        self.init(descriptor: descriptor, address: address, number: number)
    }

    /// Whether it is there still.
    package var isOpen: Bool { number != nil && Self.number(of: descriptor) == number }

    /// Ends it: libzmq finds nobody at the other end any more, and closes it.
    ///
    /// libzmq has no call for that. A connection that is closed and another's in the moment between
    /// looking and ending is one that its peer makes anew.
    package func cut() {
        guard isOpen else { return }
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
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
        // Its ucred: pid, uid, gid. The C library names it in a mode of its own only.
        var peer: [Int32] = [0, 0, 0]
        var size = socklen_t(peer.count * MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer[0] == pid
        #else
        return true
        #endif
    }

    /// The pid at the end of `localhost:uid:gid:pid`, as libzmq has it of the kernel for an ipc
    /// connection.
    package static func pid(at address: String) -> Int32? {
        let words = address.utf8.split(
            separator: UInt8(ascii: ":"),
            omittingEmptySubsequences: false
        )
        guard words.count == 4 else { return nil }
        return Int32(String(decoding: words[3], as: UTF8.self))
    }
}
