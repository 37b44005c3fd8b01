import Checksum

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The SHA-256 of one file, computed a piece at a time, and only if the file stays as it is.
struct FileHasher: ~Copyable {
    /// Why a file has no checksum.
    enum Failure: Error, Equatable {
        case unreadable(code: Int32)
        case notRegular
        case changed

        /// The reason in words, for a list of files that were left out.
        var reason: String {
            switch self {
            case .unreadable(let code): "cannot be read: \(SystemError.text(code))"
            case .notRegular: "is no longer a regular file"
            case .changed: "changed while it was read"
            }
        }
    }

    /// Bytes read at a time.
    static let pieceSize = 1 << 20

    /// The size when it was opened.
    let size: Int64
    private(set) var bytesRead: Int64 = 0
    private let descriptor: Int32
    private let before: stat
    private var hash = SHA256()

    init(opening name: FileName) throws(Failure) {
        // O_NONBLOCK: a pipe that has taken the place of the file must not hold us up.
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = name.withCString { open($0, flags) }
        guard descriptor >= 0 else { throw .unreadable(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notRegular
        }
        self.descriptor = descriptor
        before = status
        size = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads the next piece into the buffer; returns its size, 0 at the end.
    mutating func step(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var count: Int
        repeat {
            count = read(descriptor, buffer.baseAddress, min(buffer.count, Self.pieceSize))
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .unreadable(code: errno) }
        bytesRead += Int64(count)
        // Also ends the reading of a file that grows as fast as we read.
        guard bytesRead <= size else { throw .changed }
        hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    /// The checksum in hexadecimal digits, if size and time are still what they were.
    mutating func finish() throws(Failure) -> String {
        var after = stat()
        guard fstat(descriptor, &after) == 0, bytesRead == size,
            after.st_size == before.st_size, after.modified == before.modified
        else { throw .changed }
        return hash.finalize().hexadecimal
    }
}

extension stat {
    /// When the content last changed.
    fileprivate var modified: [Int] {
        #if canImport(Darwin)
        [st_mtimespec.tv_sec, st_mtimespec.tv_nsec]
        #else
        [st_mtim.tv_sec, st_mtim.tv_nsec]
        #endif
    }
}
