import Essentials
import ProcessControl

/// A file to checksum.
struct DemoFile: Codable, Equatable, Sendable {
    let path: String
    /// Bytes, when it was found.
    let size: Int
    /// When it was changed last, in seconds.
    private let modified: Double

    /// `nil` for what is no regular file; symbolic links are not followed.
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

    /// The absolute path of the directory to work on, without symbolic links.
    static func directory(_ given: String?) throws(CommandFailure) -> String {
        let path = URL(fileURLWithPath: given ?? "/usr/share").resolvingSymlinksInPath().path
        do throws(OpenFile.Failure) {
            _ = try paths(in: path)
            return path
        } catch {
            throw CommandFailure(
                .dataError,
                "cannot read the directory \(path): \(error); name another one"
            )
        }
    }

    private static func paths(in folder: String) throws(OpenFile.Failure) -> [String] {
        guard access(folder, R_OK | X_OK) == 0 else { throw .last }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        guard let names else { throw OpenFile.Failure(description: "it is no directory") }
        return names.map { folder + "/" + $0 }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Regular files below a directory, in no order.
    ///
    /// - Parameters:
    ///   - directory: Where to look.
    ///   - take: Takes a file and says whether to go on.
    /// - Returns: What could not be read, with the reason.
    static func find(in directory: String, _ take: (DemoFile) -> Bool) -> [String] {
        var leftOut: [String] = []
        var folders = [directory]
        while let folder = folders.popLast() {
            do throws(OpenFile.Failure) {
                for path in try paths(in: folder) {
                    if isDirectory(path) {
                        folders.append(path)
                    } else if let file = DemoFile(at: path), !take(file) {
                        return leftOut
                    }
                }
            } catch {
                leftOut.append("\(folder): \(error)")
            }
        }
        return leftOut
    }

    /// Divides files among workers: the largest first, each to the worker with the least work so far.
    static func lists(of files: [DemoFile], for workers: Int) -> [[DemoFile]] {
        /// What opening and closing a file costs, in bytes read meanwhile.
        let costPerFile: Int = 32_768
        var lists = [[DemoFile]](repeating: [], count: min(workers, files.count))
        var loads = [Int](repeating: 0, count: lists.count)
        for file in files.sorted(by: { $0.size > $1.size }) {
            guard let least = loads.indices.min(by: { loads[$0] < loads[$1] }) else { break }
            lists[least].append(file)
            loads[least] += file.size + costPerFile
        }
        return lists.map { $0.sorted { $0.path < $1.path } }
    }
}
