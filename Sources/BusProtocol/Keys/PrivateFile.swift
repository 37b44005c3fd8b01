import CLibrary

/// A small file that holds secrets: this user's, closed to everybody else, no symbolic link.
package struct PrivateFile: Sendable {
    /// Why it cannot be used.
    package enum Failure: Error, Hashable, Sendable {
        /// There is none.
        case missing
        /// Another user may have read or written the file; the text says what to do about it.
        case unsafe(String)
        /// The system refused a call.
        case system(String)
    }

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// No name of a bus ends so.
    private static let newSuffix = "~new"

    /// Reads the whole file; fails if it has more than `limit` bytes.
    package func read(limit: Int) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            throw errno == ENOENT ? .missing : .last("cannot be opened")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafe("it is no file: remove it")
        }
        guard status.st_uid == geteuid() else {
            throw .unsafe("it belongs to user \(status.st_uid): remove it")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .unsafe("others may read the secret key in it: run chmod 600 \(path)")
        }
        guard status.st_size <= limit else { throw .unsafe("it is too long: remove it") }
        guard let bytes = SystemCalls.readAll(file, atMost: Int(status.st_size)) else {
            throw .last("cannot be read")
        }
        return bytes
    }

    /// Fails where `write` would fail; makes the file's directory and changes nothing else.
    ///
    /// To be called before a step that cannot be undone if the file cannot be written.
    package func prepare() throws(Failure) {
        // Not the name that `write` uses: another process may be about to rename that file.
        let trial = path + "~\(getpid())"
        close(try create(trial))
        unlink(trial)
    }

    /// Writes all of it, or leaves what there was; its directory is made if it is not there.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let new = path + Self.newSuffix
        let file = try create(new)
        let isWritten =
            SystemCalls.writeAll(bytes, to: file) && fsync(file) == 0 && rename(new, path) == 0
        let failure = Failure.last("cannot be written")
        close(file)
        guard !isWritten else { return }
        unlink(new)
        throw failure
    }

    /// Makes a file beside this one, and the directory of both.
    private func create(_ new: String) throws(Failure) -> Int32 {
        let slashes = path.indices.filter { path[$0] == "/" && $0 > path.startIndex }
        for end in slashes where mkdir(String(path[..<end]), 0o700) != 0 && errno != EEXIST {
            throw .last("cannot have its directory made")
        }
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last("cannot be written") }
        return file
    }
}

extension PrivateFile {
    /// Writes the bytes that `change` returns; `nil` leaves the file as it is.
    ///
    /// Processes take turns, so that none undoes what another has written.
    package func change(
        limit: Int,
        _ change: ([UInt8]) -> [UInt8]?
    ) throws(Failure) {
        let held = try hold()
        defer { close(held) }
        if let bytes = change(try read(limit: limit)) { try write(bytes) }
    }

    /// Keeps others from changing the file until the descriptor that is returned is closed.
    private func hold() throws(Failure) -> Int32 {
        while true {
            let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else {
                throw errno == ENOENT ? .missing : .last("cannot be opened")
            }
            // If the file system has no locks, the file is changed without one.
            while flock(file, LOCK_EX) != 0 && errno == EINTR {}
            var held = stat()
            var there = stat()
            if fstat(file, &held) == 0, lstat(path, &there) == 0, held.st_dev == there.st_dev,
                held.st_ino == there.st_ino
            {
                return file
            }
            // The process that held the lock before has replaced the file.
            close(file)
        }
    }
}

extension PrivateFile.Failure: CustomStringConvertible {
    /// The end of a sentence that begins with the path.
    package var description: String {
        switch self {
        case .missing: "it is not there"
        case .unsafe(let why): why
        case .system(let why): "it \(why)"
        }
    }

    static func last(_ what: String) -> Self {
        .system("\(what): \(SystemCalls.words(errno))")
    }
}
