import ArgumentParser
import BusProtocol
import Essentials
import ProcessControl
import ProgressBusBroker

/// The directory of a fleet's own servers: plan, keys, certificates, and server configurations.
///
/// It is `progressbus/servers` in the user's configuration directory, with the same content on the
/// machines of all servers. The state directory has the files of a running server. `openssl` makes
/// the certificates.
struct FleetDirectory {
    /// The name of the authority that signs all certificates of the fleet.
    static let authority = "fleet-authority"
    private static let days = "3650"

    let path: String
    private let statePath: String
    private let planFile: PrivateFile

    init(environment: [String: String]) {
        path = UserConfiguration.path("servers", environment: environment)
        statePath = JournalLocation.path("servers", environment: environment)
        planFile = PrivateFile(path + "/plan")
    }

    /// The plan; `nil` before the first `bus up`.
    func plan() throws(CommandFailure) -> FleetPlan? {
        do throws(PrivateFile.Failure) {
            let bytes = try planFile.read(limit: FleetPlan.longestFile)
            guard let plan = FleetPlan(parsing: String(decoding: bytes, as: UTF8.self)) else {
                throw PrivateFile.Failure.unsafe("it is not what `progressbus bus` writes")
            }
            return plan
        } catch {
            guard error != .missing else { return nil }
            throw CommandFailure(.cannotCreate, "\(planFile.path) cannot be used: \(error)")
        }
    }

    /// Writes the plan and the configuration of each server.
    func save(_ plan: FleetPlan) throws(CommandFailure) {
        try write(plan.text, to: planFile)
        for server in plan.servers {
            let file = PrivateFile(configurationPath(of: server))
            let run = runPath(of: server)
            try write(plan.configuration(of: server, in: path, runningIn: run), to: file)
        }
    }

    func configurationPath(of server: FleetPlan.Server) -> String {
        "\(path)/\(server.name).conf"
    }

    /// The directory of a server's lock, log and data on this machine.
    func runPath(of server: FleetPlan.Server) -> String { "\(statePath)/\(server.name)" }

    // MARK: - Certificates

    /// Makes those certificates of the authority and the servers that are missing.
    func makeCertificates(for plan: FleetPlan) throws(CommandFailure) {
        let authority = path + "/" + Self.authority
        if !isThere(Self.authority + ".pem") {
            try openSSL(
                ["req", "-x509", "-days", Self.days, "-subj", "/CN=fleet \(plan.bus)"]
                    + Self.newKey(authority + ".key") + ["-out", authority + ".pem"]
            )
        }
        for server in plan.servers where !isThere(server.name + ".pem") {
            let kind = server.isAddress ? "IP" : "DNS"
            // Servers of a cluster are clients of each other.
            let certificate = try makeCertificate(
                server.name,
                extensions: "subjectAltName=\(kind):\(server.name)\n"
                    + "extendedKeyUsage=serverAuth,clientAuth\n"
            )
            try write(certificate, to: PrivateFile("\(path)/\(server.name).pem"))
        }
    }

    /// The file for a host: lines of options, its certificate and key, and what it is to trust.
    ///
    /// The directory keeps no copy of the host's certificate and key.
    func file(for host: FleetPlan.Host, of plan: FleetPlan) throws(CommandFailure) -> String {
        let certificate = try makeCertificate(
            host.certificateName ?? host.name,
            extensions: "extendedKeyUsage=clientAuth\n"
        )
        return plan.lines(for: host) + certificate + (try text(Self.authority + ".pem"))
    }

    /// Makes a key and a certificate for it that the authority signs, as PEM.
    private func makeCertificate(
        _ name: String,
        extensions: String
    ) throws(CommandFailure) -> String {
        let parts = ["key", "request", "extensions", "new"].map { "\(path)/\(name).\($0)" }
        defer { for part in parts { try? FileManager.default.removeItem(atPath: part) } }
        let authority = path + "/" + Self.authority
        try write(extensions, to: PrivateFile(parts[2]))
        try openSSL(
            ["req", "-new", "-subj", "/CN=\(name)"] + Self.newKey(parts[0]) + ["-out", parts[1]]
        )
        try openSSL([
            "x509", "-req", "-in", parts[1], "-CA", authority + ".pem", "-CAkey",
            authority + ".key", "-set_serial", Self.serialNumber, "-days", Self.days, "-extfile",
            parts[2], "-out", parts[3],
        ])
        return try text("\(name).new") + text("\(name).key")
    }

    private static func newKey(_ path: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path]
    }

    private static var serialNumber: String {
        "0x" + String(UInt64.random(in: 1 ... .max), radix: 16)
    }

    private func openSSL(_ arguments: [String]) throws(CommandFailure) {
        let program = try OtherProgram.find("openssl", package: "openssl", for: "certificates")
        let end: ProcessEnd
        do {
            let log = path + "/openssl.log"
            let output = try OtherProgram.openLog(log)
            defer { close(output) }
            let child = try ChildProcess.start(
                program: program,
                arguments,
                environment: OwnProcess.environment,
                streams: .init(error: output)
            )
            end = ProcessEnd.wait(for: child.pid)
        } catch {
            throw CommandFailure(.unavailable, "openssl cannot be started: \(error)")
        }
        guard end == .exited(0) else {
            throw CommandFailure(
                .cannotCreate,
                "openssl makes no certificate (\(end)); \(path)/openssl.log says why"
            )
        }
    }

    // MARK: - Files

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(name)")
    }

    private func text(_ name: String) throws(CommandFailure) -> String {
        guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else {
            throw CommandFailure(.cannotCreate, "\(path)/\(name) cannot be read")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ text: String, to file: PrivateFile) throws(CommandFailure) {
        do {
            try file.write(Array(text.utf8))
        } catch {
            throw CommandFailure(.cannotCreate, "\(file.path) cannot be written: \(error)")
        }
    }
}

extension FleetPlan.Server {
    fileprivate var isAddress: Bool { name.allSatisfy { $0.isNumber || $0 == "." } }
}
