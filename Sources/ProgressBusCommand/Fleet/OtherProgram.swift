import ArgumentParser
import ProcessControl

/// Programs of others that commands about fleets need.
enum OtherProgram {
    /// Finds it where a shell looks.
    ///
    /// - Throws: exit code 69, and which package has it.
    static func find(
        _ name: String,
        package: String,
        for purpose: String
    ) throws(CommandFailure) -> SystemString {
        do {
            let path = OwnProcess.environment["PATH"] ?? "/usr/bin:/bin"
            // Debian has servers there, which is on no user's PATH.
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

    /// An empty file for what it prints; the descriptor is the caller's to close.
    static func openLog(_ path: String) throws(StartError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw StartError(code: errno) }
        return descriptor
    }
}
