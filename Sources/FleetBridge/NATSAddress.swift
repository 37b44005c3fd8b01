import BusProtocol
import Essentials

/// Where NATS is, and how this host proves who it is.
struct NATSAddress: Sendable {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, several with commas between them.
    let servers: [String]
    /// A file with this host's certificate and key, or a credentials file as `nsc` writes it.
    let credentials: String?
    /// Whether the file of `credentials` has a certificate.
    let hasCertificate: Bool
    /// A file of certificates to trust instead of the system's.
    let trusted: String?

    /// Why the options are no address.
    struct Wrong: Error {
        let sentence: String
    }

    init(_ text: String, credentials: String?, trusted: String?) throws(Wrong) {
        servers = text.split(separator: ",").map(String.init)
        self.credentials = credentials
        self.trusted = trusted
        for file in [credentials, trusted].compactMap({ $0 }) {
            guard FileManager.default.isReadableFile(atPath: file) else {
                throw Wrong(sentence: "\(file) cannot be read")
            }
        }
        let text = credentials.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        hasCertificate = String(decoding: text, as: UTF8.self).contains("BEGIN CERTIFICATE")
        guard !servers.isEmpty else { throw Wrong(sentence: "--join needs nats://HOST:PORT") }
        for server in servers {
            let isSecure = server.hasPrefix("tls://")
            // `isLoopback` would take what is before an @ for the host.
            guard isSecure || server.hasPrefix("nats://"), !server.contains("@") else {
                throw Wrong(
                    sentence:
                        "\(server) is no address of NATS: write nats://HOST:PORT or tls://HOST:PORT"
                )
            }
            guard Self.isLoopback(server) || isSecure && credentials != nil else {
                throw Wrong(
                    sentence:
                        "\(server) is another machine: write tls://HOST:PORT and --credentials FILE,"
                        + " so that nobody can read or say what is this bus's"
                )
            }
        }
    }

    private static func isLoopback(_ server: String) -> Bool {
        let rest = server.drop { $0 != "/" }.drop { $0 == "/" }
        let host = rest.hasPrefix("[") ? rest.prefix { $0 != "]" } + "]" : rest.prefix { $0 != ":" }
        return host == "localhost" || host == "[::1]" || String(host).isLoopbackAddress
    }
}
