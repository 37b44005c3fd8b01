import BusProtocol
import Essentials

/// The file that names the fleet of a user's brokers, also of those that a command starts.
///
/// It is `progressbus/fleet.HOST` in the user's configuration directory, or else
/// `progressbus/fleet`.
///
/// ```
/// # Comments and empty lines are skipped.
/// join tls://nats1:4222,tls://nats2:4222
/// bus team
/// credentials /etc/progressbus/team.creds
/// ```
///
/// Each line is an option of `progressbus-fleet` without its dashes, and its value. The host's
/// certificate, its key and the certificate to trust may follow as PEM. The file is then both
/// `credentials` and `trusted`, and other users must have no access to it. Only the broker at
/// `endpoint` joins; without that line, the one at this user's default endpoint.
struct FleetConfiguration: Equatable {
    /// Why the file cannot be used.
    struct Wrong: Error, CustomStringConvertible {
        let sentence: String
        var description: String { sentence }
    }

    private static let names = [
        "join", "bus", "host", "broker", "credentials", "trusted", "replicas",
    ]
    private static let paths = ["credentials", "trusted"]
    private static let endpointName = "endpoint"
    private static let limit = 16_384

    /// The values by their names.
    private let values: [String: String]

    /// The path of this host's own file if there is one, else of the user's file.
    ///
    /// Hosts that share a home need a file each, because no two may join with one key.
    static func path(
        environment: [String: String],
        host: String = ProcessInfo.processInfo.hostName
    ) -> String {
        let own = UserConfiguration.path("fleet." + host, environment: environment)
        guard !FileManager.default.fileExists(atPath: own) else { return own }
        return UserConfiguration.path("fleet", environment: environment)
    }

    /// Reads the file; `nil` where there is none.
    init?(environment: [String: String]) throws(Wrong) {
        let path = Self.path(environment: environment)
        guard let bytes = FileManager.default.contents(atPath: path) else {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw Wrong(sentence: "\(path) cannot be read")
        }
        guard bytes.count <= Self.limit else {
            throw Wrong(sentence: "\(path) is longer than \(Self.limit) bytes")
        }
        do throws(Wrong) {
            try self.init(parsing: String(decoding: bytes, as: UTF8.self), path: path)
        } catch {
            throw Wrong(sentence: "\(path), \(error.sentence)")
        }
    }

    /// Reads the text of a file; checks who has access to the file only if the text has a key.
    init(parsing text: String, path: String) throws(Wrong) {
        var values: [String: String] = [:]
        var isInBlock = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            func wrong(_ why: String) -> Wrong { Wrong(sentence: "line \(number): \(why)") }
            if line.hasPrefix("-----BEGIN") {
                isInBlock = true
                for name in Self.paths {
                    guard values.updateValue(path, forKey: name) ?? path == path else {
                        throw wrong("\(name) is there twice, here and as a line")
                    }
                }
            }
            if line.hasPrefix("-----END") { isInBlock = false }
            guard !isInBlock, !line.hasPrefix("-----") else { continue }
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let name = words.first.map(String.init), !name.hasPrefix("#") else { continue }
            guard Self.names.contains(name) || name == Self.endpointName else {
                let all = (Self.names + [Self.endpointName]).joined(separator: ", ")
                throw wrong("there is no \(name); write one of \(all), and its value")
            }
            let value = words.count == 2 ? words[1].trimmingSpaces : ""
            guard !value.isEmpty else { throw wrong("\(name) has no value") }
            guard values[name] == nil else { throw wrong("\(name) is there twice") }
            guard !Self.paths.contains(name) || value.hasPrefix("/") else {
                throw wrong("\(name) must be a path from / on")
            }
            values[name] = value
        }
        guard !isInBlock else {
            throw Wrong(
                sentence: "its last block has no line -----END: it is cut off; copy it anew"
            )
        }
        guard values["join"] != nil else {
            throw Wrong(sentence: "line 1: no line says join and the servers of NATS")
        }
        self.values = values
        guard values["credentials"] == path else { return }
        do throws(PrivateFile.Failure) {
            _ = try PrivateFile(path).read(limit: Self.limit)
        } catch {
            throw Wrong(sentence: "which has a key, cannot be used: \(error)")
        }
    }

    /// What the hosts call their fleet.
    var bus: String { values["bus"] ?? "fleet" }

    /// The bridge's arguments for the broker at this endpoint; `nil` if it is not to join.
    func arguments(for endpoint: BusEndpoint) throws(EndpointError) -> [String]? {
        let (joining, _) = try BusEndpoint.resolve(
            explicit: values[Self.endpointName],
            environment: [:]
        )
        guard endpoint == joining else { return nil }
        return Self.names.flatMap { name in values[name].map { ["--\(name)", $0] } ?? [] }
    }
}
