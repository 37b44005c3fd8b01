import BusProtocol
import CLibrary
import ZeroMQ

/// What a session says about the process it lives in.
enum ProcessFacts {
    /// Read anew for every session: a process may have been forked.
    static func current() -> WireProcess {
        var process = WireProcess()
        process.host = hostName
        process.pid = Int64(getpid())
        process.command = command
        // A pid says nothing after a restart of the machine or in another container.
        process.bootID = ProcessFile.bootID.limited(toUTF8: ProtocolLimits.machineBytes)
        process.pidNamespace = ProcessFile.pidNamespace()
            .limited(toUTF8: ProtocolLimits.machineBytes)
        process.startTime = ProcessFile.status()?.startTime ?? 0
        return process
    }

    /// The name of the executable without its directory.
    static var executableName: String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private static var command: String {
        ([executableName] + CommandLine.arguments.dropFirst().prefix(32))
            .joined(separator: " ").clipped(toBytes: ProtocolLimits.commandBytes)
    }

    /// The name that `PROGRESSBUS_HOST` gives this machine, else the machine's own name.
    private static var hostName: String {
        if let name = ProcessEnvironment["PROGRESSBUS_HOST"], !name.isEmpty {
            return name.clipped(toBytes: ProtocolLimits.hostBytes)
        }
        return ownHostName
    }

    private static var ownHostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, gethostname(start, 255) == 0 else { return "" }
            buffer[255] = 0
            return String(cString: start).clipped(toBytes: ProtocolLimits.hostBytes)
        }
    }
}
