import Essentials

/// The environment of this process, its processors and its executable.
enum OwnProcess {
    /// The environment variables.
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The number of processors that this process can use.
    static var processorCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The file of this program, with which it can start itself again in another role.
    ///
    /// An absolute path that can be executed, also after the program was started by its bare name.
    static var executable: String {
        #if os(Linux)
        let link = "/proc/self/exe"
        // A rebuilt or removed program has a name that no longer exists; the link still works.
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            FileManager.default.isExecutableFile(atPath: target)
        else { return link }
        return target
        #else
        return Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }

    /// The folder of this program's file, also if that file was replaced since.
    static var folder: String {
        #if os(Linux)
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = target ?? executable
        #else
        let path = executable
        #endif
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
