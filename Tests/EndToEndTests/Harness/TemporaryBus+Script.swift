import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension TemporaryBus {
    /// Writes a file that can be executed at once.
    ///
    /// Not by Foundation: a process that another test starts meanwhile would inherit the open file
    /// and keep it, and nobody may execute what somebody has open for writing (execve(2), ETXTBSY).
    func writeScript(_ script: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        let bytes = Array(script.utf8)
        guard write(file, bytes, bytes.count) == bytes.count else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }
}
