import CLibrary
import TaskTree

/// The files by which clients and other brokers find a broker: its lock and its sockets.
///
/// They may be removed while the broker lives, by a cleaner of temporary files or by the system
/// when the user logs out. No client finds the broker then, and another broker may begin beside it.
struct EndpointFiles {
    /// Seconds between looks, each of which costs a few system calls.
    private static let interval = 0.5

    let lockPath: String
    let lock: FileIdentity?
    /// The paths of the bound sockets.
    let sockets: [String]
    var lastLook: Moment

    /// The first file that is missing, or a lock file that was replaced; `nil` if there is none.
    ///
    /// Also `nil` if no look is due yet.
    mutating func firstMissing(now: Moment) -> String? {
        guard now.seconds(since: lastLook) >= Self.interval else { return nil }
        lastLook = now
        guard FileIdentity(path: lockPath) == lock else { return lockPath }
        return sockets.first { path in
            // ``AdmissionGate`` renames the sockets while there are too many connections.
            access(path, F_OK) != 0 && access(path + AdmissionGate.suffix, F_OK) != 0
        }
    }
}

/// What tells one file from every other that exists at the same time.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Looks without following a symbolic link; `nil` if there is no file.
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
