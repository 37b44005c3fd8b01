import CSodium

/// SHA-256 of bytes that come piece by piece.
package struct SHA256 {
    private var state = crypto_hash_sha256_state()

    package init() {
        // These functions return 0, always.
        _ = crypto_hash_sha256_init(&state)
    }

    /// The 32 bytes of the checksum.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        Array(bytes).withUnsafeBytes { hash.update($0) }
        return hash.finalize()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let bytes = bytes.assumingMemoryBound(to: UInt8.self)
        _ = crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
    }

    /// The 32 bytes of the checksum of everything so far; nothing may follow.
    package mutating func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = crypto_hash_sha256_final(&state, &digest)
        return digest
    }
}

extension [UInt8] {
    /// Two hexadecimal digits for each byte.
    package var hexadecimal: String {
        let digits = Swift.Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
