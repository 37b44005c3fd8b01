import Foundation

/// The directory whose files the demo checksums.
enum DemoSource {
    /// How many files make a directory worth looking at when none is given.
    private static let enough = 2_000
    private static let candidates = ["/usr/share", "/usr/lib", "/usr"]

    /// The directory given, as an absolute path, or one that is found on most machines.
    static func directory(_ given: String?) throws(CommandFailure) -> FileName {
        guard let given else { return try standard() }
        var absolute = given
        if !given.hasPrefix("/") {
            absolute = FileManager.default.currentDirectoryPath + "/" + given
        }
        let name = FileName(tidied(absolute))
        guard let stream = name.withCString({ opendir($0) }) else {
            throw CommandFailure(
                .dataError,
                "cannot read the directory \(given): \(SystemError.text(errno)); name another one"
            )
        }
        closedir(stream)
        return name
    }

    private static func standard() throws(CommandFailure) -> FileName {
        for candidate in candidates {
            var scan = FileScan(of: FileName(candidate))
            while scan.files.count < enough, scan.step() {}
            if scan.files.count >= enough { return FileName(candidate) }
        }
        throw CommandFailure(
            .usage,
            "found no directory with \(enough) files here; name one: progressbus demo DIR"
        )
    }

    /// Without empty and `.` components; `..` stays, as it may follow a symbolic link.
    private static func tidied(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
