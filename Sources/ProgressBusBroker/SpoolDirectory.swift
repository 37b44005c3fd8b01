import BrokerCore
import BusProtocol
import CLibrary

/// Every file call of the spool's collecting side.
///
/// It follows no symbolic link, waits for nothing, and checks a file through the descriptor from
/// which it then reads.
struct SpoolDirectory: ~Copyable {
    /// What could not be done, for a person to read.
    struct Failure: Error {
        let sentence: String
    }

    static let damagedName = "damaged"
    /// Bytes that damaged files may keep; the oldest leave.
    private static let damagedBytes: Int64 = 16 << 20

    let path: String
    private let descriptor: Int32

    /// Opens the directory; `nil` where there is none.
    init?(path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw Failure(
                sentence: "The spool \(path) is no directory that can be opened "
                    + "(\(SystemCalls.words(code))): remove it."
            )
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            close(descriptor)
            throw Failure(
                sentence: "The spool \(path) is not this user's alone: remove it, or run "
                    + "chmod 700 \(path)."
            )
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The entries of the spool, the oldest first; at most the spool's limit.
    func entries() -> [SpoolEntry] {
        SystemCalls.names(in: descriptor, atMost: SpoolLimits.entries)
            .compactMap { look(at: $0) }
            .sorted { ($1.age, $0.name) < ($0.age, $1.name) }
    }

    /// Checks and reads a file; `nil` if it is gone or is to be left.
    func read(_ name: String) throws(SpoolViolation) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw SpoolViolation("it cannot be opened (\(SystemCalls.words(code)))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SpoolViolation("it cannot be looked at") }
        switch Self.entry(name, status).judgement {
        case .take, .expired: break
        case .leave: return nil
        case .damaged(let reason): throw SpoolViolation(reason)
        }
        // Reads one byte more than the size: it shows whether the file has grown since.
        let limit = min(Int(status.st_size), SpoolLimits.fileBytes) + 1
        guard let bytes = SystemCalls.readAll(file, atMost: limit) else {
            throw SpoolViolation("it cannot be read (\(SystemCalls.words(errno)))")
        }
        return bytes
    }

    /// Deletes a file; whether it is gone.
    func remove(_ name: String) -> Bool {
        unlinkat(descriptor, name, 0) == 0 || errno == ENOENT
    }

    /// Moves something into the folder of damaged files; whether it is no longer in the spool.
    func setAside(_ name: String) -> Bool {
        guard mkdirat(descriptor, Self.damagedName, 0o700) == 0 || errno == EEXIST else {
            return false
        }
        let folder = openat(
            descriptor,
            Self.damagedName,
            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        )
        guard folder >= 0 else { return false }
        defer { close(folder) }
        guard renameat(descriptor, name, folder, name) == 0 else { return errno == ENOENT }
        Self.thinOut(folder)
        return true
    }

    /// Deletes the oldest damaged files until the others are within the limits.
    private static func thinOut(_ folder: Int32) {
        var kept: [(name: String, size: Int64, changed: Int64)] = []
        for name in SystemCalls.names(in: folder, atMost: SpoolLimits.entries) {
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            // Being moved here changes a file's status, not its contents.
            kept.append((name, Int64(status.st_size), status.changedNanoseconds))
        }
        kept.sort { ($0.changed, $0.name) < ($1.changed, $1.name) }
        var bytes = kept.reduce(0) { $0 + $1.size }
        var count = kept.count
        for file in kept where count > SpoolLimits.damagedFiles || bytes > damagedBytes {
            // What cannot be deleted stays, such as a folder that somebody made here.
            unlinkat(folder, file.name, 0)
            count -= 1
            bytes -= file.size
        }
    }

    private func look(at name: String) -> SpoolEntry? {
        var status = stat()
        guard name != Self.damagedName,
            fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        else { return nil }
        return Self.entry(name, status)
    }

    private static func entry(_ name: String, _ status: stat) -> SpoolEntry {
        let kind: SpoolEntry.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        return SpoolEntry(
            name: name,
            kind: kind,
            isOwn: status.st_uid == geteuid(),
            mode: UInt32(status.st_mode & 0o777),
            size: Int64(status.st_size),
            age: Int64(Clocks.unixTime) - status.modificationSeconds
        )
    }
}

extension stat {
    /// When anything about it was last changed, its name included.
    fileprivate var changedNanoseconds: Int64 {
        #if canImport(Darwin)
        let time = st_ctimespec
        #else
        let time = st_ctim
        #endif
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
