#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What several writers and readers of small files ask of the system.
package enum SystemCalls {
    /// What an error number means.
    package static func words(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    /// Writes all of it; false with the reason in `errno`.
    package static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads at most so many bytes, to the end of the file; `nil` with the reason in `errno`.
    package static func readAll(_ file: Int32, atMost limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes { bytes in
                let room = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return read(file, room.baseAddress, room.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }
}
