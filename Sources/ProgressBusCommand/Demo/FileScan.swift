#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Finds the regular files below a directory; symbolic links are not followed.
struct FileScan {
    /// A file that was found, with its size at that time.
    struct File: Equatable, Sendable {
        var name: FileName
        var size: Int64
    }

    /// Something that was not looked at, and why.
    struct LeftOut: Equatable, Sendable {
        var name: FileName
        var reason: String
    }

    private(set) var files: [File] = []
    private(set) var leftOut: [LeftOut] = []
    private var pending: [FileName] = []
    /// A file that the scan passes over in silence.
    private let excluded: FileIdentity?

    init(of directory: FileName, excluding excluded: FileIdentity? = nil) {
        pending = [directory]
        self.excluded = excluded
    }

    /// Lists one more directory; false when all are done.
    mutating func step() -> Bool {
        guard let directory = pending.popLast() else { return false }
        guard let stream = directory.withCString({ opendir($0) }) else {
            leaveOut(directory)
            return true
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            look(at: directory.appending(name))
        }
        return true
    }

    private mutating func look(at name: FileName) {
        var status = stat()
        guard name.withCString({ lstat($0, &status) }) == 0 else {
            leaveOut(name)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: pending.append(name)
        case S_IFREG where FileIdentity(status) != excluded:
            files.append(File(name: name, size: Int64(status.st_size)))
        default: break
        }
    }

    private mutating func leaveOut(_ name: FileName) {
        leftOut.append(LeftOut(name: name, reason: SystemError.text(errno)))
    }
}

/// Which file a name stands for, whatever the name.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// The system's words for its error codes.
enum SystemError {
    static func text(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
