import BusProtocol

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a session says about the process it lives in.
enum ProcessFacts {
    /// Read anew for every session: a process may have been forked.
    static func current() -> WireProcess {
        var process = WireProcess()
        process.host = hostName.limited(toUTF8: ProtocolLimits.hostBytes)
        process.pid = Int64(getpid())
        process.command = command.limited(toUTF8: ProtocolLimits.commandBytes)
        #if os(Linux)
        // A pid says nothing after a restart of the machine or in another container.
        process.bootID = firstLine(of: "/proc/sys/kernel/random/boot_id")
            .limited(toUTF8: ProtocolLimits.machineBytes)
        process.pidNamespace = target(ofLink: "/proc/self/ns/pid")
            .limited(toUTF8: ProtocolLimits.machineBytes)
        #endif
        return process
    }

    /// The name of the executable without its directory.
    static var executableName: String {
        lastComponent(CommandLine.arguments.first ?? "")
    }

    private static var command: String {
        ([executableName] + CommandLine.arguments.dropFirst().prefix(32))
            .joined(separator: " ").clipped(toBytes: ProtocolLimits.commandBytes)
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, gethostname(start, 255) == 0 else { return "" }
            buffer[255] = 0
            return String(cString: start).clipped(toBytes: ProtocolLimits.hostBytes)
        }
    }

    #if os(Linux)
    private static func firstLine(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return "" }
            let text = String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
            return text.split(separator: "\n").first.map(String.init) ?? ""
        }
    }

    private static func target(ofLink path: String) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let count = readlink(path, start, buffer.count)
            guard count > 0 else { return "" }
            let bytes = buffer.prefix(count).map(UInt8.init(bitPattern:))
            return String(decoding: bytes, as: UTF8.self)
        }
    }
    #endif
}
