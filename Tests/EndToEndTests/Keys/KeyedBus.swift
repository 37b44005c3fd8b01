import BusProtocol
import Foundation
import Testing

/// A bus that has keys, at tcp on the loopback, and people who are its members, each with a
/// configuration of their own; its broker's own user is `anna`.
final class KeyedBus: Sendable {
    static let name = "team"

    let bus: TemporaryBus
    let port: Int

    private init(_ bus: TemporaryBus, port: Int) {
        (self.bus, self.port) = (bus, port)
    }

    /// Starts its broker on three ports in a row that nobody has.
    static func start(on bus: TemporaryBus) async throws -> KeyedBus {
        for _ in 0..<20 {
            let keyed = KeyedBus(bus, port: FreePort.any())
            let broker = try keyed.startBroker()
            let isThere = try await eventually("the broker listens or ends") {
                broker.errorOutput.contains("listening")
                    ? true : broker.endIfAny().map { _ in false }
            }
            if isThere { return keyed }
        }
        throw NeverHappened(what: "three free ports", patience: .zero, last: "")
    }

    func startBroker() throws -> ChildProcess {
        try bus.start(
            "broker",
            [
                "--endpoint", "tcp://127.0.0.1:\(port)", "--bus", Self.name, "--idle-exit", "300",
                "--linger", "600",
            ],
            adding: variables(of: "anna")
        )
    }

    /// What the processes of a person find in their environment.
    func variables(of person: String) -> [String: String] {
        [
            "PROGRESSBUS_ENDPOINT": Self.name, "USER": person,
            "XDG_CONFIG_HOME": bus.path("config-\(person)"),
        ]
    }

    /// Runs `progressbus` as a person.
    func run(
        _ person: String,
        _ words: String...,
        adding additions: [String: String] = [:]
    ) async throws -> CommandResult {
        try await run(person, words, adding: additions)
    }

    /// The same with a list of words.
    func run(
        _ person: String,
        _ words: [String],
        adding additions: [String: String] = [:]
    ) async throws -> CommandResult {
        let child = try bus.start(
            words[0],
            Array(words.dropFirst()),
            adding: variables(of: person).merging(additions) { $1 }
        )
        let end = try await child.finish()
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    /// An invitation by anna.
    func invite(_ options: String...) async throws -> String {
        let child = try bus.start("invite", options, adding: variables(of: "anna"))
        #expect(try await child.finish() == .exited(0), "\(child.errorOutput)")
        return child.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes somebody a member.
    func join(_ person: String, as role: Role) async throws {
        let token = try await invite("--role", role.rawValue)
        let joined = try await join(person, by: token)
        #expect(joined.end == .exited(0), "\(joined)")
    }

    func join(
        _ person: String,
        by token: String,
        _ options: String...
    ) async throws -> CommandResult {
        let child = try bus.start(
            "join",
            ["--as", person] + options,
            adding: variables(of: person).merging(["PROGRESSBUS_INVITATION": token]) { $1 }
        )
        let end = try await child.finish()
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    /// The names and roles that `progressbus members` lists.
    func members() async throws -> [String: String] {
        let result = try await run("anna", "members", "--json")
        #expect(result.end == .exited(0), "\(result)")
        let list = try JSONDecoder().decode(MemberList.self, from: Data(result.output.utf8))
        return Dictionary(list.members.map { ($0.name, $0.role) }) { first, _ in first }
    }

    /// Attempts to connect that the broker has refused.
    func refused() async throws -> Int {
        let result = try await run("anna", "members", "--json")
        return try JSONDecoder().decode(MemberList.self, from: Data(result.output.utf8)).refused
    }

    /// A worker of a person.
    func reporter(of person: String, _ title: String) throws -> Reporter {
        try bus.startReporter("--title", title, adding: variables(of: person))
    }

    /// The titles of all jobs and how many of each are done, as a person sees them.
    func jobs(seenBy person: String) async throws -> [String: Int] {
        let report = try await status(seenBy: person)
        return Dictionary(report.jobs.map { ($0.title, $0.completed) }) { first, _ in first }
    }

    func status(seenBy person: String) async throws -> StatusReport {
        let result = try await run(person, "status", "--json")
        guard result.end == .exited(0) else { throw StatusReport.Unavailable(result: result) }
        return try JSONDecoder().decode(StatusReport.self, from: Data(result.output.utf8))
    }

    /// Where the broker keeps its key and who may speak with it.
    var accessFile: String? {
        let files = FileManager.default.enumerator(atPath: bus.stateDirectory)
        return files?.compactMap { $0 as? String }.first { $0.hasSuffix("/access") }
            .map { bus.stateDirectory + "/" + $0 }
    }

    /// What the file of a person says of the bus.
    func membership(of person: String) throws -> Membership {
        try #require(try endpoint(of: person).membership)
    }

    /// The endpoint with the keys of a person.
    func endpoint(of person: String) throws -> BusEndpoint {
        try BusEndpoint.resolve(explicit: Self.name, environment: variables(of: person)).endpoint
    }
}

private struct MemberList: Decodable {
    struct Member: Decodable {
        var name: String
        var role: String
    }

    var members: [Member]
    var refused: Int
}
