import ArgumentParser
import ProcessControl

/// Third-party programs that the commands about fleets need.
enum OtherProgram {
    /// Finds a program on `PATH`, else in `/usr/local/sbin` or `/usr/sbin`.
    ///
    /// - Throws: exit code 69, with the package that has the program.
    static func find(
        _ name: String,
        package: String,
        for purpose: String
    ) throws(CommandFailure) -> SystemString {
        do {
            let path = OwnProcess.environment["PATH"] ?? "/usr/bin:/bin"
            // Debian installs servers in /usr/sbin, which is on no user's PATH.
            return try ProgramSearch.find(
                SystemString(name),
                in: SystemString(path + ":/usr/local/sbin:/usr/sbin")
            )
        } catch {
            throw CommandFailure(
                .unavailable,
                "\(name) is not installed, which is needed for \(purpose): install the package "
                    + package
            )
        }
    }

    /// Opens an empty file for a program's output; the caller closes the descriptor.
    static func openLog(_ path: String) throws(StartError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw StartError(code: errno) }
        return descriptor
    }
}
