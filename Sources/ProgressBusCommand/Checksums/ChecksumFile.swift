import Essentials
import ProcessControl

/// The file with the result, in the format of `sha256sum --check`.
struct ChecksumFile: Sendable {
    let path: String
    /// Whether the path is a device or pipe, which is written in place and not replaced.
    private let isSpecial: Bool

    /// - Throws: A failure with exit code 73 if it cannot be written, before any work is done.
    init(_ given: String?) throws(CommandFailure) {
        let standard = FileManager.default.temporaryDirectory
            .appendingPathComponent("progressbus-demo-\(getuid()).sha256")
        let url = given.map { URL(fileURLWithPath: $0) } ?? standard
        path = url.resolvingSymlinksInPath().path
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        isSpecial = kind != S_IFREG
        if kind == S_IFDIR { throw failure("it is a directory") }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !isSpecial, access(folder, W_OK) != 0 { throw failure("\(OpenFile.Failure.last)") }
    }

    /// Writes the checksums by path; a file that was there is replaced in one step.
    func write(_ result: ChecksumResult) throws(CommandFailure) {
        let lines = result.sums.sorted { $0.file.path < $1.file.path }.map { file, digest in
            let name = file.path.replacing("\\", with: "\\\\")
                .replacing("\n", with: "\\n").replacing("\r", with: "\\r")
            // A leading backslash marks a line whose name is escaped.
            return (name == file.path ? "" : "\\") + digest + "  " + name + "\n"
        }
        do throws(OpenFile.Failure) {
            let written = isSpecial ? path : path + ".unfinished"
            let file = try OpenFile(replacing: written)
            var isUnfinished = !isSpecial
            defer { if isUnfinished { unlink(written) } }
            try file.write(lines.joined())
            if !isSpecial, rename(written, path) != 0 { throw OpenFile.Failure.last }
            isUnfinished = false
        } catch {
            throw failure("\(error)")
        }
    }

    /// The lines that name the file and the command that checks it.
    func summary(of result: ChecksumResult) -> [String] {
        var lines = ["checksums: \(path)"]
        guard !isSpecial, !result.sums.isEmpty else { return lines }
        #if os(Linux)
        let command = "sha256sum --check --quiet"
        #else
        let command = "shasum -a 256 --check --quiet"
        #endif
        let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
        let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+=:@%".contains($0) }
        lines.append("verify:    \(command) \(isPlain ? path : quoted)")
        return lines
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "cannot write \(path): \(reason); name another file with --output"
        )
    }
}
