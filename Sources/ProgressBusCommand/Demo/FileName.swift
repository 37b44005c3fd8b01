import BusProtocol

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The path of a file as the system has it: bytes that need not be text.
struct FileName: Hashable, Comparable, Sendable {
    /// Any bytes but 0.
    var bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    init(_ text: String) {
        self.init(text.utf8)
    }

    /// By bytes, as `LC_ALL=C sort` does.
    static func < (left: FileName, right: FileName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The name of an entry of this directory.
    func appending(_ name: some Sequence<UInt8>) -> FileName {
        let separator = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return FileName(bytes + separator + Array(name))
    }

    /// What follows the last slash.
    var lastComponent: FileName {
        FileName(bytes.split(separator: UInt8(ascii: "/")).last ?? bytes[...])
    }

    /// For people: what is not text, or would move the cursor, becomes a question mark.
    var text: String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Most names are; asking of each scalar what it is costs more than hashing a small file.
        if bytes.withUnsafeBytes({ PlainText.isAll($0) }) { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isControl = scalar.properties.generalCategory == .control
                    return isControl || scalar == "\u{fffd}" ? "?" : scalar
                }
            )
        )
    }

    /// Calls `body` with the path as C wants it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer.initializeElement(at: index, to: CChar(bitPattern: byte))
            }
            buffer.initializeElement(at: bytes.count, to: 0)
            guard let start = buffer.baseAddress else { return body("") }
            return body(UnsafePointer(start))
        }
    }
}
