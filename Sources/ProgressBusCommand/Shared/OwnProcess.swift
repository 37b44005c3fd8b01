import Essentials

/// What this process was started with, and what it runs on.
enum OwnProcess {
    /// The variables.
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// How many processors there are for it.
    static var processorCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The file that it runs, for starting itself again in another role.
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

    /// Where the file that it runs is, or was before it was replaced.
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
