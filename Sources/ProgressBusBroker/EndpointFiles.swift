import CLibrary
import TaskTree

/// The files by which others find a broker: its lock and its sockets.
///
/// Somebody may remove them while it lives: who cleans up temporary files, or the system that takes a
/// runtime directory away when its user logs out. Nobody finds the broker then, and another one may
/// begin beside it.
struct EndpointFiles {
    /// Seconds between looks, each of which costs a few system calls.
    private static let interval = 0.5

    let lockPath: String
    let lock: FileIdentity?
    /// The paths that are bound by now.
    let sockets: [String]
    var lastLook: Moment

    /// The first that is gone or another's; `nil` while all are there, and where a look is not due.
    mutating func firstMissing(now: Moment) -> String? {
        guard now.seconds(since: lastLook) >= Self.interval else { return nil }
        lastLook = now
        guard FileIdentity(path: lockPath) == lock else { return lockPath }
        return sockets.first { path in
            // The gate moves them aside for as long as there are too many connections.
            access(path, F_OK) != 0 && access(path + AdmissionGate.suffix, F_OK) != 0
        }
    }
}

/// What tells one file from every other that exists at the same time.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Without following a symbolic link; `nil` where there is nothing.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
