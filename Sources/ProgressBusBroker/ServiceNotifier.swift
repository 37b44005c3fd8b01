import CLibrary

/// Tells the service manager how far the broker is, as sd_notify(3) describes.
///
/// Does nothing without `NOTIFY_SOCKET`, and nothing fails where the message cannot be delivered.
struct ServiceNotifier: Sendable {
    private let address: String?

    init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"]
    }

    /// Sends lines such as `READY=1`, in one datagram.
    func send(_ lines: String...) {
        // An absolute path, or a name in Linux's abstract namespace.
        guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
        var name = Array(address.utf8)
        let isAbstract = name[0] == UInt8(ascii: "@")
        if isAbstract { name[0] = 0 }

        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        guard name.count < MemoryLayout.size(ofValue: target.sun_path) else { return }
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: name) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // The zero after a path belongs to the address; after an abstract name it would be a
        // letter of the name.
        let length = socklen_t(offset + name.count + (isAbstract ? 0 : 1))

        #if canImport(Darwin)
        let kind = SOCK_DGRAM
        #else
        let kind = Int32(SOCK_DGRAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let message = Array(lines.joined(separator: "\n").utf8)
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(
                    descriptor,
                    message,
                    message.count,
                    Int32(MSG_DONTWAIT),
                    address,
                    length
                )
            }
        }
    }
}
