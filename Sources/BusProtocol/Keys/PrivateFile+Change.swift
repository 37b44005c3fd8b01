#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension PrivateFile {
    /// Writes what a change makes of the bytes, if anything: of several processes, one after the
    /// other, so that none undoes what another has written.
    package func change(
        limit: Int,
        _ change: ([UInt8]) -> [UInt8]?
    ) throws(Failure) {
        let held = try hold()
        defer { close(held) }
        if let bytes = change(try read(limit: limit)) { try write(bytes) }
    }

    /// Keeps others from changing the file that is there, until the descriptor is closed.
    private func hold() throws(Failure) -> Int32 {
        while true {
            let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else {
                throw errno == ENOENT ? .missing : .last("cannot be opened")
            }
            // Where the file system has no locks the file is changed all the same.
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
