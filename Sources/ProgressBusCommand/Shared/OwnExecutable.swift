import Foundation

/// The file that this process runs, for starting itself again in another role.
enum OwnExecutable {
    /// An absolute path that can be executed, also after the program was started by its bare name.
    static var path: String {
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
}
