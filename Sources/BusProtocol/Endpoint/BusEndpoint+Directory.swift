import CLibrary

extension BusEndpoint {
    /// Makes sure that the directory of an ipc endpoint is the user's own and nobody else's.
    ///
    /// Whoever may enter the directory may speak to the broker, so it must be a real directory of
    /// this user with mode 0700. A tcp endpoint has none and passes.
    package func checkDirectory() throws(EndpointError) {
        guard case .ipc(let directory) = kind else { return }
        var status = stat()
        guard lstat(directory, &status) == 0 else {
            let code = errno
            guard code != ENOENT else {
                throw EndpointError(
                    .missing,
                    "\(directory) does not exist: start a broker there, or name another endpoint."
                )
            }
            throw EndpointError(
                .system,
                "\(directory) cannot be looked at (\(SystemCalls.words(code))): name another endpoint."
            )
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw EndpointError(
                .notADirectory,
                "\(directory) is not a directory itself (a symbolic link does not count): remove"
                    + " it, or name another endpoint."
            )
        }
        guard status.st_uid == getuid() else {
            throw EndpointError(
                .foreign,
                "\(directory) belongs to user \(status.st_uid) and you are user \(getuid()): name"
                    + " an endpoint in a directory of your own."
            )
        }
        let mode = status.st_mode & 0o777
        guard mode == 0o700 else {
            throw EndpointError(
                .open,
                "\(directory) has mode 0\(String(mode, radix: 8)) and must have 0700, so that"
                    + " nobody else can speak to the broker: run chmod 700 \(directory)."
            )
        }
    }

    /// Makes the directory of an ipc endpoint unless it is there, and checks it either way.
    package func createDirectory() throws(EndpointError) {
        guard case .ipc(let directory) = kind else { return }
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            let code = errno
            throw EndpointError(
                .system,
                "\(directory) cannot be made (\(SystemCalls.words(code))): make the directory above it, or"
                    + " name another endpoint."
            )
        }
        try checkDirectory()
    }
}
