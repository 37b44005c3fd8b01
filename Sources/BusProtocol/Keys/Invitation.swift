import Essentials

/// What somebody needs to become a member of a bus: the bus's address, its key, and a secret.
///
/// The secret is one half of a key pair whose public half the broker knows. Its holder is let in
/// for one kind of request only, which names the public key of a new member. So the secret never
/// travels to the broker, and a recorded connection is of no use to anybody.
package struct Invitation: Hashable, Sendable {
    /// The name of the bus, unless the new member chooses another one.
    package let bus: String
    /// Where its broker listens.
    package let address: String
    /// The public key of the broker.
    package let server: BusKey
    package let secret: BusKey

    package init(bus: String, address: String, server: BusKey, secret: BusKey) {
        self.bus = bus
        self.address = address
        self.server = server
        self.secret = secret
    }

    package static let prefix = "pbi1-"
    /// The most bytes that a token may have.
    package static let textBytes = 1_000

    /// The token: `pbi1-` and base64 for URLs of server key, secret, the length of the name and the
    /// name, the address, and the CRC-32 of all of it, most significant byte first.
    package var text: String {
        let name = Array(bus.utf8)
        var bytes = server.bytes + secret.bytes + [UInt8(truncatingIfNeeded: name.count)] + name
        bytes += Array(address.utf8)
        bytes += CRC32.checksum(of: bytes[...]).bigEndianBytes
        // RFC 4648, section 5, without padding.
        let letters = Data(bytes).base64EncodedString().compactMap { letter -> Character? in
            switch letter {
            case "+": "-"
            case "/": "_"
            case "=": nil
            default: letter
            }
        }
        return Self.prefix + String(letters)
    }

    /// Reads a token, which may have blanks and line ends around it.
    package init(parsing text: String) throws(EndpointError) {
        let token = text.split(whereSeparator: \.isWhitespace)
        guard token.count == 1, let word = token.first, word.hasPrefix(Self.prefix) else {
            throw .noInvitation("it must be one word that begins with \(Self.prefix)")
        }
        let keys = 2 * BusKey.count
        guard word.utf8.count <= Self.textBytes,
            let bytes = Self.bytes(of: word.dropFirst(Self.prefix.count)), bytes.count > keys + 5
        else { throw .noInvitation("it is damaged: copy all of it") }
        let end = bytes.count - 4
        let nameEnd = keys + 1 + Int(bytes[keys])
        guard UInt32(bigEndian: bytes, at: end) == CRC32.checksum(of: bytes[..<end]), nameEnd < end,
            let server = BusKey(bytes[..<BusKey.count]),
            let secret = BusKey(bytes[BusKey.count..<keys]),
            let bus = String(validating: bytes[(keys + 1)..<nameEnd], as: UTF8.self),
            let address = String(validating: bytes[nameEnd..<end], as: UTF8.self),
            NamedBus.isName(bus)
        else { throw .noInvitation("it is damaged: copy all of it") }
        guard case .tcp = try BusEndpoint(parsing: address).kind else {
            throw .noInvitation("its address is not tcp")
        }
        self.init(bus: bus, address: address, server: server, secret: secret)
    }

    private static func bytes(of letters: Substring) -> [UInt8]? {
        var text = String(letters.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).map { [UInt8]($0) }
    }
}

extension EndpointError {
    fileprivate static func noInvitation(_ why: String) -> EndpointError {
        EndpointError(.syntax, "This is no invitation: \(why).")
    }
}
