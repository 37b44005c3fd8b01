import CLibrary

/// The right to bind an endpoint: a lock on a file, released with the value.
///
/// libzmq lets a second process bind a living ipc path and take it over silently, so a broker takes
/// this lock first. The kernel releases it however the process ends. The broker never deletes the
/// file: otherwise one broker could lock the deleted file and another one a new file. If somebody
/// else deletes it, ``EndpointFiles`` notices that.
struct LockFile: ~Copyable {
    enum Failure: Error {
        /// Another broker holds it: the pid in the file, if there is one.
        case held(pid: Int32?)
        /// The system refused, in its own words.
        case system(call: String, reason: String)
    }

    private let descriptor: Int32
    /// Which file it is, whatever its path names by now.
    let identity: FileIdentity?

    /// Takes the lock at once or throws; the file then holds the pid of this process.
    init(path: String) throws(Failure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open") }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let failure = errno == EWOULDBLOCK ? Self.held(descriptor) : Self.failure("flock")
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        identity = FileIdentity(descriptor: descriptor)
        let text = Array("\(getpid())\n".utf8)
        // The pid is for people to read; the lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    deinit {
        // The pid may soon belong to another process, so it must not stay in the file.
        _ = ftruncate(descriptor, 0)
        close(descriptor)
    }

    /// Gives the lock back now, after everything that it guards has been closed.
    consuming func release() {
        // Consuming it runs deinit.
    }

    private static func held(_ descriptor: Int32) -> Failure {
        for _ in 0..<5 {
            var buffer = [UInt8](repeating: 0, count: 16)
            let count = pread(descriptor, &buffer, buffer.count, 0)
            let digits = buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
            if let pid = Int32(String(decoding: digits, as: UTF8.self)), pid > 0 {
                return .held(pid: pid)
            }
            // The holder may have locked the file without having written its pid yet. No event
            // tells when it has: look five times, for 10 ms in all.
            usleep(2_000)
        }
        return .held(pid: nil)
    }

    private static func failure(_ call: String) -> Failure {
        .system(call: call, reason: String(cString: strerror(errno)))
    }
}
