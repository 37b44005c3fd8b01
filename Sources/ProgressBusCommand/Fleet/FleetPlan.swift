import BusProtocol
import FleetCore

/// A fleet's own NATS servers, and the hosts that may join it.
///
/// Its text has a line for each:
///
/// - `bus team`
/// - `server nats1.example.org 4222`
/// - `host render-1 0123456789abcdef fedcba9876543210`, with the numbers of its broker and its key
/// - `removed render-1 0123456789abcdef`
struct FleetPlan: Equatable {
    struct Server: Equatable {
        /// A name or an IPv4 address by which the hosts reach it.
        var name: String
        var port: Int
        /// The port at which the servers of a cluster speak with each other.
        var clusterPort: Int { port + 2_000 }
        var address: String { "tls://\(name):\(port)" }
    }

    struct Host: Equatable {
        var name: String
        var broker: UInt64
        /// The number of its key; `nil` for a host that was removed.
        ///
        /// A host that is added again gets another key and keeps its broker number, because other
        /// hosts may still show the jobs of that broker.
        var key: UInt64?

        var brokerDigits: String { FleetSubjects.digits(of: broker) }
        /// The common name of its certificate; `nil` for a host that was removed.
        var certificateName: String? { key.map { name + "." + FleetSubjects.digits(of: $0) } }
    }

    static let usualPort = 4_222
    static let longestFile = 1 << 20

    var bus: String
    var servers: [Server]
    /// All hosts, also those that were removed.
    var hosts: [Host] = []
    var members: [Host] { hosts.filter { $0.key != nil } }

    var text: String {
        let lines =
            ["bus \(bus)"] + servers.map { "server \($0.name) \($0.port)" }
            + hosts.map { host in
                let key = host.key.map { " " + FleetSubjects.digits(of: $0) }
                return
                    "\(key == nil ? "removed" : "host") \(host.name) \(host.brokerDigits)\(key ?? "")"
            }
        return lines.joined(separator: "\n") + "\n"
    }

    init(bus: String, servers: [Server]) {
        (self.bus, self.servers) = (bus, servers)
    }

    /// Reads what `text` wrote; `nil` for anything else.
    init?(parsing text: String) {
        (bus, servers) = ("", [])
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "bus" where words.count == 2 && FleetSubjects.isValid(bus: words[1]):
                bus = words[1]
            case "server" where words.count == 3:
                guard let server = Server("\(words[1]):\(words[2])") else { return nil }
                servers.append(server)
            case "host" where words.count == 4, "removed" where words.count == 3:
                let numbers = words[2...].compactMap { UInt64($0, radix: 16) }.filter { $0 != 0 }
                guard NamedBus.isName(words[1]), numbers.count == words.count - 2 else {
                    return nil
                }
                hosts.append(
                    Host(name: words[1], broker: numbers[0], key: numbers.dropFirst().first)
                )
            default:
                return nil
            }
        }
        guard !bus.isEmpty, !servers.isEmpty else { return nil }
    }
}

extension FleetPlan.Server {
    /// Reads `NAME` or `NAME:PORT`.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first, NamedBus.isName(name),
            name != FleetDirectory.authority
        else { return nil }
        let port = parts.count == 2 ? Int(parts[1]) : FleetPlan.usualPort
        guard let port, (1...60_000).contains(port) else { return nil }
        self.init(name: String(name), port: port)
    }
}

extension FleetPlan {
    /// The lines of the file that a host is given; certificates and its key follow them.
    func lines(for host: Host) -> String {
        """
        # \(host.name) in the fleet \(bus): whoever has this file speaks as \(host.name) there.
        join \(servers.map(\.address).joined(separator: ","))
        bus \(bus)
        host \(host.name)
        broker \(host.brokerDigits)
        replicas \(servers.count)

        """
    }

    /// The configuration with which nats-server is started.
    ///
    /// A host may publish what concerns its own broker, claim pages, and read the whole board and
    /// the messages to its broker. Of the kept messages it can replace only the slots of its broker
    /// and the claims of pages.
    func configuration(of server: Server, in directory: String, runningIn run: String) -> String {
        let stream = "PB1_\(bus)"
        let subjects = FleetSubjects(bus: bus)
        let users = members.compactMap { host -> String? in
            guard let name = host.certificateName else { return nil }
            let publish =
                subjects.said(by: host.broker) + [
                    "$JS.API.INFO", "$JS.API.STREAM.INFO.\(stream)",
                    "$JS.API.STREAM.CREATE.\(stream)", "$JS.API.CONSUMER.CREATE.\(stream)",
                    "$JS.API.CONSUMER.CREATE.\(stream).>",
                ]
            return """
                    { user: "CN=\(name)", permissions: {
                        publish: [\(Self.list(publish))]
                        subscribe: [\(Self.list(subjects.read(by: host.broker) + ["_INBOX.>"]))] } }
                """
        }
        let certificates = """
            cert_file: "\(directory)/\(server.name).pem"
                key_file: "\(directory)/\(server.name).pem"
                ca_file: "\(directory)/\(FleetDirectory.authority).pem"
            """
        let others = servers.map { "tls://\($0.name):\($0.clusterPort)" }
        let cluster = """
            cluster {
                name: "\(bus)"
                listen: "\(server.interface):\(server.clusterPort)"
                routes: [\(Self.list(others))]
                tls { \(certificates)
                verify: true }
            }

            """
        return """
            # Written by `progressbus bus`, which writes it again at the next change.
            server_name: "\(server.name)"
            listen: "\(server.interface):\(server.port)"
            pid_file: "\(run)/nats-server.pid"
            jetstream { store_dir: "\(run)/data" }
            tls { \(certificates)
                verify_and_map: true }
            authorization { users: [
            \(users.joined(separator: "\n"))
            ] }
            \(servers.count > 1 ? cluster : "")
            """
    }

    private static func list(_ words: [String]) -> String {
        words.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}

extension FleetPlan.Server {
    /// The address to listen on: a loopback address itself, else all interfaces.
    fileprivate var interface: String { name.isLoopbackAddress ? name : "0.0.0.0" }
}
