/// Why a program could not be started.
package struct StartError: Error, Hashable, CustomStringConvertible {
    package var code: Int32

    package init(code: Int32) {
        self.code = code
    }

    package var description: String { String(cString: strerror(code)) }
}

/// Finds programs as a shell does.
package enum ProgramSearch {
    /// The file that can be executed and that a command's first word names.
    ///
    /// - Throws: `ENOENT` where there is none, `EACCES` where it cannot be executed.
    package static func find(
        _ name: SystemString,
        in path: SystemString
    ) throws(StartError) -> SystemString {
        guard !name.bytes.isEmpty else { throw StartError(code: ENOENT) }
        let slash = UInt8(ascii: "/")
        if name.bytes.contains(slash) {
            if let code = trouble(with: name) { throw StartError(code: code) }
            return name
        }
        var worst = ENOENT
        let colon = UInt8(ascii: ":")
        for directory in path.bytes.split(separator: colon, omittingEmptySubsequences: false) {
            // An empty entry means the working directory.
            let start = directory.isEmpty ? [UInt8(ascii: ".")] : Array(directory)
            let candidate = SystemString(bytes: start + [slash] + name.bytes)
            switch trouble(with: candidate) {
            case nil: return candidate
            case EACCES?: worst = EACCES
            default: break
            }
        }
        throw StartError(code: worst)
    }

    private static func trouble(with path: SystemString) -> Int32? {
        path.withCString { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return errno }
            guard status.st_mode & S_IFMT == S_IFREG else { return EACCES }
            return access(path, X_OK) == 0 ? nil : EACCES
        }
    }
}
