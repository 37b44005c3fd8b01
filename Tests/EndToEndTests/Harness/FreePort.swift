import Foundation

/// A port of the loopback, and the two above it, at which nobody listens at this moment.
enum FreePort {
    static func any() -> Int {
        while true {
            let port = Int.random(in: 20_000..<32_000)
            if (port...port + 2).allSatisfy(isFree) { return port }
        }
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Darwin)
        let socket = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
