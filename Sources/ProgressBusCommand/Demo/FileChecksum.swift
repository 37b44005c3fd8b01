import Checksum

/// The SHA-256 of a file, read in pieces.
struct FileChecksum {
    /// Why a file is left out.
    struct Failure: Error {
        let reason: String
    }

    private static let piece = 1 << 20

    private let before: DemoFile
    private let file: OpenFile
    private var count: Int = 0
    private var hash = SHA256()

    init(of path: String) throws(Failure) {
        guard let file = DemoFile(at: path) else { throw Failure(reason: "is no regular file") }
        before = file
        do throws(OpenFile.Failure) {
            self.file = try OpenFile(reading: path)
        } catch {
            throw Failure(reason: "cannot be read: \(error)")
        }
    }

    /// Reads the next piece; how many bytes it has, 0 at the end.
    mutating func read() throws(Failure) -> Int {
        do throws(OpenFile.Failure) {
            let bytes = try file.read(upTo: Self.piece)
            count += bytes.count
            bytes.withUnsafeBytes { hash.update($0) }
            // A file may grow as fast as it is read.
            return count > before.size ? 0 : bytes.count
        } catch {
            throw Failure(reason: "cannot be read: \(error)")
        }
    }

    /// The checksum in hexadecimal, unless the file has changed while it was read.
    mutating func finish() throws(Failure) -> String {
        guard count == before.size, DemoFile(at: before.path) == before else {
            throw Failure(reason: "changed while it was read")
        }
        return hash.finalize().hexadecimal
    }
}
