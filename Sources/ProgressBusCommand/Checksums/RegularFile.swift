import Checksum
import Essentials
import ProcessControl

/// The path, size and modification time of a regular file when it was examined.
struct RegularFile: Codable, Equatable, Sendable {
    /// Why a file has no checksum.
    struct LeftOut: Error {
        let reason: String
    }

    let path: String
    /// Bytes.
    let size: Int
    /// When it was changed last, in seconds.
    private let modified: Double

    /// Returns `nil` for anything but a regular file; symbolic links are not followed.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        size = Int(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The SHA-256 of its bytes in hexadecimal; `read` is called after each piece with its size.
    ///
    /// - Throws: `LeftOut` if the file cannot be read or has changed meanwhile; any error of
    ///   `read`.
    func checksum(_ read: (Int) async throws -> Void) async throws -> String {
        guard let before = RegularFile(at: path) else {
            throw LeftOut(reason: "is no regular file")
        }
        var hash = SHA256()
        var count = 0
        do {
            let file = try OpenFile(reading: path)
            // A file may grow as fast as it is read.
            while count <= before.size, case let bytes = try file.read(upTo: 1 << 20),
                !bytes.isEmpty
            {
                bytes.withUnsafeBytes { hash.update($0) }
                count += bytes.count
                try await read(bytes.count)
            }
        } catch let failure as OpenFile.Failure {
            throw LeftOut(reason: "cannot be read: \(failure)")
        }
        guard count == before.size, RegularFile(at: path) == before else {
            throw LeftOut(reason: "changed while it was read")
        }
        return hash.finalize().hexadecimal
    }

    /// Passes the regular files below a directory to `take`, in no order, until `take` returns
    /// false.
    ///
    /// - Returns: The directories that could not be read, with the reason.
    static func find(in directory: String, _ take: (RegularFile) -> Bool) -> [String] {
        var leftOut: [String] = []
        var folders = [directory]
        while let folder = folders.popLast() {
            do throws(OpenFile.Failure) {
                for path in try paths(in: folder) {
                    var status = stat()
                    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                        folders.append(path)
                    } else if let file = RegularFile(at: path), !take(file) {
                        return leftOut
                    }
                }
            } catch {
                leftOut.append("\(folder): \(error)")
            }
        }
        return leftOut
    }

    /// The paths of the entries of a directory.
    static func paths(in folder: String) throws(OpenFile.Failure) -> [String] {
        guard access(folder, R_OK | X_OK) == 0 else { throw .last }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        guard let names else { throw OpenFile.Failure(description: "it is no directory") }
        return names.map { folder + "/" + $0 }
    }
}
