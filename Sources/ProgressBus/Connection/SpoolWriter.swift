import BusProtocol
import CLibrary

/// Why last words could not be written down, and what to do about it.
struct SpoolError: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

/// Every file call of the spool's writing side.
///
/// A file appears under its name only when it is complete. Like the journal, it outlives the
/// process but not a crash of the machine: fsync(2) can take seconds on a busy disk, which the end
/// of a process does not have. Brokers take the files out; a writer removes only those that are too
/// old to be taken.
enum SpoolWriter {
    private static let suffix = ".spool"

    /// Writes the file of a session into the spool's directory, in place of one of the same name.
    ///
    /// Makes the directory unless it exists; leaves nothing behind if writing fails.
    static func save(_ bytes: [UInt8], named name: String, to path: String) throws(SpoolError) {
        guard bytes.count <= SpoolLimits.fileBytes else {
            throw SpoolError("\(bytes.count) bytes of endings are more than \(path) may take.")
        }
        let directory = try openDirectory(path)
        defer { close(directory) }
        guard waitingFiles(in: directory) < SpoolLimits.files else {
            throw SpoolError(
                "\(SpoolLimits.files) files wait in \(path), and no more may: start a broker."
            )
        }
        let temporary = "." + name + ".tmp"
        // A file of this name is left from a process that died while it wrote.
        unlinkat(directory, temporary, 0)
        let file = openat(
            directory,
            temporary,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            0o600
        )
        guard file >= 0 else { throw failure(path, "made in", errno) }
        let isWritten = fchmod(file, 0o600) == 0 && SystemCalls.writeAll(bytes, to: file)
        let code = errno
        close(file)
        guard isWritten else {
            unlinkat(directory, temporary, 0)
            throw failure(path, "written to", code)
        }
        guard renameat(directory, temporary, directory, name + suffix) == 0 else {
            let code = errno
            unlinkat(directory, temporary, 0)
            throw failure(path, "renamed in", code)
        }
    }

    /// Opens the spool's directory, which must be this user's and nobody else's.
    ///
    /// Makes it unless it exists, and the endpoint's directory above it.
    private static func openDirectory(_ path: String) throws(SpoolError) -> Int32 {
        let isMade = mkdir(path, 0o700) == 0 || errno == EEXIST
        if !isMade, errno == ENOENT, let slash = path.lastIndex(of: "/") {
            mkdir(String(path[..<slash]), 0o700)
        }
        guard isMade || mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SpoolError("\(path) cannot be made (\(SystemCalls.words(errno))).")
        }
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else {
            throw SpoolError(
                "\(path) is no directory that can be opened (\(SystemCalls.words(errno))): remove it."
            )
        }
        var status = stat()
        guard fstat(directory, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            close(directory)
            throw SpoolError(
                "\(path) is not yours alone: remove it, or run chmod 700 \(path)."
            )
        }
        return directory
    }

    /// How many files wait, once those that are too old are gone.
    private static func waitingFiles(in directory: Int32) -> Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var count = 0
        for name in SystemCalls.names(in: directory, atMost: SpoolLimits.entries) {
            guard name.hasSuffix(suffix), !name.hasPrefix(".") else { continue }
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            if status.modificationSeconds < Int64(now.tv_sec) - SpoolLimits.seconds,
                unlinkat(directory, name, 0) == 0
            {
                continue
            }
            count += 1
        }
        return count
    }

    private static func failure(_ path: String, _ doing: String, _ code: Int32) -> SpoolError {
        SpoolError("A file cannot be \(doing) \(path) (\(SystemCalls.words(code))).")
    }
}
