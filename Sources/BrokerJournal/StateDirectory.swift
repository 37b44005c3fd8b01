import CLibrary
import Checksum
import Essentials

/// Where a broker keeps its journal.
package enum StateDirectory {
    /// The directory for one endpoint of a host: the first 16 hex digits of the SHA-256 of a text.
    ///
    /// The text is the endpoint alone in a directory that a person has chosen. In the user's state
    /// directory it is `ENDPOINT HOST`: hosts may share a home, and each has a bus at the same
    /// endpoint. On macOS it is always the endpoint alone, as the host's name may change with the
    /// network and homes are seldom shared. The path is absolute; it need not exist.
    package static func path(
        endpoint: String,
        host: String,
        explicit: String?,
        environment: [String: String]
    ) -> String {
        #if os(macOS)
        let text = endpoint
        #else
        let isChosen = chosen(explicit: explicit, environment: environment) != nil
        let text = isChosen ? endpoint : endpoint + " " + host
        #endif
        let name = SHA256.hash(text.utf8).hexadecimal.prefix(16)
        return base(explicit: explicit, environment: environment) + "/" + name
    }

    /// Makes the directory, and those above it, unless it exists; it must be this user's alone.
    package static func make(_ path: String) throws(JournalError) {
        let ends = path.indices.filter { path[$0] == "/" && $0 > path.startIndex } + [path.endIndex]
        for end in ends {
            // Titles and reasons may be confidential: nobody else may look, whatever the umask.
            guard mkdir(String(path[..<end]), 0o700) != 0, errno != EEXIST else { continue }
            throw JournalError(
                sentence: "Cannot make the state directory \(path): "
                    + "\(String(cString: strerror(errno))). Choose another one."
            )
        }
        try check(path)
    }

    /// Writes as many bytes as a small transaction into a file and removes it again; throws if it
    /// cannot.
    package static func tryWriting(in directory: String) throws(JournalError) {
        let path = directory + "/.trial-\(getpid())"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        var isWritten = false
        if descriptor >= 0 {
            let bytes = [UInt8](repeating: 0, count: trialBytes)
            // If the disk takes only a part, `write` sets no error.
            errno = ENOSPC
            isWritten =
                write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        }
        let code = errno
        if descriptor >= 0 {
            close(descriptor)
            unlink(path)
        }
        guard isWritten else {
            throw JournalError(
                sentence:
                    "The disk takes nothing in \(directory) (\(String(cString: strerror(code)))): "
                    + "make room, or choose another state directory with PROGRESSBUS_STATE."
            )
        }
    }

    private static let trialBytes = 65_536

    /// Another user who may write there could make the broker say anything at its next start, and
    /// whoever may read there sees all titles and credentials.
    private static func check(_ path: String) throws(JournalError) {
        let status = try look(at: path)
        guard (status?.st_mode ?? 0) & S_IFMT == S_IFDIR else {
            throw JournalError(
                sentence:
                    "The state directory \(path) is no directory itself (a symbolic link does "
                    + "not count): remove it, or choose another one."
            )
        }
        try requireOwn(path, status)
        guard let mode = status?.st_mode, mode & 0o077 == 0 else {
            throw JournalError(
                sentence: "The state directory \(path) is open to other users: look at what is in "
                    + "it, then run chmod 700 \(path), or choose another one."
            )
        }
    }

    /// A file in the directory must be the user's own, if it is there.
    static func checkFile(_ path: String) throws(JournalError) {
        guard let status = try look(at: path) else { return }
        try requireOwn(path, status)
    }

    private static func requireOwn(_ path: String, _ status: stat?) throws(JournalError) {
        guard let owner = status?.st_uid, owner != geteuid() else { return }
        throw JournalError(
            sentence:
                "\(path) belongs to user \(owner) and the broker is user \(geteuid()): remove "
                + "it, or choose another state directory."
        )
    }

    /// The status of a path, of a symbolic link itself; `nil` if there is nothing.
    private static func look(at path: String) throws(JournalError) -> stat? {
        var status = stat()
        if lstat(path, &status) == 0 { return status }
        let code = errno
        if code == ENOENT { return nil }
        throw JournalError(
            sentence: "Cannot look at \(path): \(String(cString: strerror(code))). Choose another "
                + "state directory."
        )
    }

    /// The directory a person asked for, else that of `PROGRESSBUS_STATE`, else the user's.
    package static func base(explicit: String?, environment: [String: String]) -> String {
        if let chosen = chosen(explicit: explicit, environment: environment) {
            return absolute(chosen)
        }
        let home = environment["HOME"] ?? ""
        let base = home.hasPrefix("/") ? home : FileManager.default.homeDirectoryForCurrentUser.path
        #if os(macOS)
        return base + "/Library/Application Support/progressbus"
        #else
        // The XDG base directory specification: a relative path is to be ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return state + "/progressbus"
        }
        return base + "/.local/state/progressbus"
        #endif
    }

    private static func chosen(explicit: String?, environment: [String: String]) -> String? {
        let path = explicit ?? environment["PROGRESSBUS_STATE"] ?? ""
        return path.isEmpty ? nil : path
    }

    /// The broker may leave its working directory later; the journal stays where it was meant.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
