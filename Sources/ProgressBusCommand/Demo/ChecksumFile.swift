import Foundation

/// The file that the demo writes, in the form that `sha256sum --check` reads.
struct ChecksumFile {
    /// Where it will be: an absolute path without a symbolic link at its end.
    let path: String
    /// The file that is there now, if any, so that it is not checksummed itself.
    let current: FileIdentity?
    /// Whether the path is a device or a pipe, which is written to and never replaced.
    let isSpecial: Bool
    /// Where the names of files without a checksum go if there are many.
    var namesPath: String { path + ".left-out" }

    /// Looks at what is there and whether it may be replaced; writes nothing.
    ///
    /// - Parameter path: Absolute or relative; `nil` is a file in the temporary directory.
    /// - Throws: Exit code 73 if it cannot be written there.
    init(_ path: String?) throws(CommandFailure) {
        let path = path ?? Self.standardPath
        let absolute =
            path.hasPrefix("/")
            ? path : FileManager.default.currentDirectoryPath + "/" + path
        let resolved = absolute.withCString { realpath($0, nil) }
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? absolute
        var status = stat()
        let exists = stat(self.path, &status) == 0
        current = exists ? FileIdentity(status) : nil
        isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
        guard !exists || status.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(
                .cannotCreate,
                "\(path) is a directory; name a file with --output"
            )
        }
        if !isSpecial, access(directory, W_OK) != 0 { throw failure() }
    }

    /// Writes the lines beside the file and then puts them in its place, so that nobody ever
    /// sees half of them.
    ///
    /// - Throws: Exit code 73 if it cannot be written; then nothing has changed.
    func write(_ lines: [UInt8]) throws(CommandFailure) {
        if isSpecial {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure() }
            defer { close(descriptor) }
            guard Self.writeAll(lines, to: descriptor) else { throw failure() }
        } else {
            try put(lines, at: path)
        }
    }

    /// Writes the names of files without a checksum beside it, or removes those of another run.
    func writeNames(_ names: [String]) throws(CommandFailure) {
        if !names.isEmpty {
            try put(Array((names.joined(separator: "\n") + "\n").utf8), at: namesPath)
        } else if !isSpecial {
            unlink(namesPath)
        }
    }

    private func put(_ lines: [UInt8], at path: String) throws(CommandFailure) {
        var name = Array("\(directory)/.progressbus-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure() }
        var mode: mode_t = 0o644
        let mask = umask(0)
        umask(mask)
        mode &= ~mask
        let isInPlace =
            Self.writeAll(lines, to: descriptor) && fchmod(descriptor, mode) == 0
            && rename(name, path) == 0
        let error = failure()
        close(descriptor)
        guard isInPlace else {
            unlink(name)
            throw error
        }
    }

    /// One line as GNU sha256sum writes it: a name with a line end or a backslash is written
    /// with escapes, which a backslash before the checksum announces.
    static func line(digest: String, name: FileName) -> [UInt8] {
        var escaped: [UInt8] = []
        for byte in name.bytes {
            switch byte {
            case UInt8(ascii: "\\"): escaped += Array("\\\\".utf8)
            case UInt8(ascii: "\n"): escaped += Array("\\n".utf8)
            case UInt8(ascii: "\r"): escaped += Array("\\r".utf8)
            default: escaped.append(byte)
            }
        }
        let mark = escaped.count == name.bytes.count ? "" : "\\"
        return Array((mark + digest + "  ").utf8) + escaped + [UInt8(ascii: "\n")]
    }

    private static var standardPath: String {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("progressbus-demo-\(getuid()).sha256").path
    }

    private var directory: String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    private func failure() -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "cannot write \(path): \(SystemError.text(errno)); name another file with --output"
        )
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
