/// The checksum of ISO 3309, as in gzip and PNG: polynomial 0xEDB88320, reflected.
///
/// It finds accidental damage to a file. It does not protect against deliberate changes.
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320
        }
    }

    package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        let table = table
        var value = UInt32.max
        for byte in bytes {
            value = value >> 8 ^ table[Int((value ^ UInt32(byte)) & 0xff)]
        }
        return ~value
    }
}
