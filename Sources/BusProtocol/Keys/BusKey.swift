/// One half of a CURVE key pair: 32 bytes.
///
/// The public half identifies a member of a bus, an invitation or a broker; the secret half proves
/// who it is. `text` is 64 hexadecimal digits. `description` does not show them: a secret key would
/// end in a log.
package struct BusKey: Hashable, Sendable {
    package static let count = 32

    package let bytes: [UInt8]

    /// Takes the bytes; `nil` unless there are 32 and one of them is not zero.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads 64 hexadecimal digits.
    package init?(text: some StringProtocol) {
        let digits = text.compactMap(\.hexDigitValue)
        // The text must have as many bytes: some hexadecimal digits of Unicode have more than one.
        guard digits.count == 2 * Self.count, text.utf8.count == digits.count else { return nil }
        let places = stride(from: 0, to: digits.count, by: 2)
        self.init(places.map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// 64 hexadecimal digits, lower case.
    package var text: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The first eight digits: enough for people to tell public keys apart.
    package var label: String { String(text.prefix(8)) }
}

extension BusKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A public key and the secret key that belongs to it.
package struct BusKeyPair: Hashable, Sendable {
    package let `public`: BusKey
    package let secret: BusKey

    package init(public: BusKey, secret: BusKey) {
        self.public = `public`
        self.secret = secret
    }
}
