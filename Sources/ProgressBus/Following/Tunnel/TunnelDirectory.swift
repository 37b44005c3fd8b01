package import BusProtocol
import CLibrary
import Essentials

/// A directory of this user for the sockets of one tunnel, or of one relay of reports.
///
/// The directory is removed with the value at the latest. A process that was killed leaves its
/// directory, but the kernel releases the lock: by that the next tunnel knows it and removes it.
package struct TunnelDirectory: ~Copyable, Sendable {
    package let endpoint: BusEndpoint
    let path: String
    private let lock: Int32

    private init(endpoint: BusEndpoint, path: String, lock: Int32) {
        (self.endpoint, self.path, self.lock) = (endpoint, path, lock)
    }

    /// Makes a directory, and removes those that killed processes have left.
    package static func make() throws(FollowError) -> TunnelDirectory {
        let path: String
        let endpoint: BusEndpoint
        do {
            let parent = try BusEndpoint.besideDefault(suffix: ".ssh")
            try parent.endpoint.createDirectory()
            removeLeftovers(in: parent.path)
            path = parent.path + "/\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
            endpoint = try BusEndpoint(directory: path)
            try endpoint.createDirectory()
        } catch {
            throw FollowError(error)
        }
        // The lock gets its name once it is held: otherwise another process would take the
        // directory for a leftover.
        let new = path + "/lock.new"
        let lock = open(new, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(new, path + "/lock") == 0
        else {
            let words = SystemCalls.words(errno)
            if lock >= 0 { close(lock) }
            remove(path)
            throw FollowError(.cannotConnect, "\(path)/lock cannot be locked: \(words)")
        }
        return TunnelDirectory(endpoint: endpoint, path: path, lock: lock)
    }

    deinit {
        remove()
        close(lock)
    }

    /// Removes the directory with all that is in it; may be called from any thread, also twice.
    package func remove() {
        Self.remove(path)
    }

    /// Removes a directory file by file, as an ssh that ends removes its own sockets at the same
    /// time.
    ///
    /// The lock goes last: if ssh makes a socket meanwhile, the next tunnel finds the directory by
    /// its lock.
    private static func remove(_ directory: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names where name != "lock" { unlink(directory + "/" + name) }
        let rest = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        guard rest.allSatisfy({ $0 == "lock" }) else { return }
        unlink(directory + "/lock")
        rmdir(directory)
    }

    /// Removes the directories of processes that have ended without doing so.
    private static func removeLeftovers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            let directory = parent + "/" + name
            let descriptor = open(directory + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            // A directory without a lock is being made, or its process was killed while it made it.
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                remove(directory)
            }
            close(descriptor)
        }
    }
}
