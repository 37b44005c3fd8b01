import BusProtocol
import Foundation
import Testing

/// A bus with keys, as its members use it.
@Suite("Keys", .serialized, .transcript, .timeLimit(.minutes(5)))
struct KeyTests {
    private func withKeys(_ body: (KeyedBus) async throws -> Void) async throws {
        try await withBus { bus in try await body(try await KeyedBus.start(on: bus)) }
    }

    @Test("Each role may do what it is for, and is told in words what it may not")
    func roles() async throws {
        try await withKeys { team in
            for role in Role.allCases { try await team.join(role.rawValue, as: role) }
            let worker = try team.reporter(of: "reporter", "Encode")
            worker.update("root", #""completed":3,"total":10"#)
            try await worker.sync()
            let id = try #require(
                (try await team.run("admin", "status", "--json")).output.firstMatch(
                    of: /"id" ?: ?"([^"]+)"/
                )?.1
            )
            let allowed: [(words: [String], roles: [Role])] = [
                (["status"], [.viewer, .controller, .admin]),
                (["begin", "Mine", "--strict"], [.reporter, .controller, .admin]),
                (["pause", String(id)], [.controller, .admin]),
                (["members"], [.admin]),
                (["invite"], [.admin]),
            ]
            for (words, roles) in allowed {
                for role in Role.allCases {
                    let child = try team.bus.start(
                        words[0],
                        Array(words.dropFirst()),
                        adding: team.variables(of: role.rawValue)
                    )
                    let end = try await child.finish()
                    let isRefused = child.errorOutput.contains(
                        "\(role.rawValue) is a \(role.rawValue) here and may not"
                    )
                    #expect(
                        isRefused == !roles.contains(role),
                        "\(role) \(words): \(child.errorOutput)"
                    )
                    #expect(!isRefused || end != .exited(0), "\(role) \(words)")
                }
            }
            // Whoever only looks does not report either, and its work does not notice.
            let silent = try await team.run("viewer", "run", "--", "sh", "-c", "echo worked")
            #expect(silent.end == .exited(0) && silent.output == "worked\n", "\(silent)")
            #expect(try await team.jobs(seenBy: "viewer")["Encode"] == 3)
        }
    }

    @Test("doctor says who one is, that the bus works for this role, and to admins who was refused")
    func doctor() async throws {
        try await withKeys { team in
            for role in [Role.viewer, .reporter] { try await team.join(role.rawValue, as: role) }
            for person in ["anna", "viewer", "reporter"] {
                let doctor = try await team.run(person, "doctor")
                #expect(doctor.end == .exited(0), "\(person): \(doctor)")
                #expect(doctor.output.contains("you joined it as \(person)"), "\(doctor)")
                let isAdmin = person == "anna"
                #expect(doctor.output.contains("all three sockets work") == isAdmin, "\(doctor)")
                #expect(doctor.output.contains("Nobody was refused") == isAdmin, "\(doctor)")
            }
            #expect(try await team.run("anna", "revoke", "viewer").end == .exited(0))
            let revoked = try await team.run("viewer", "doctor")
            #expect(revoked.end == .exited(69), "\(revoked)")
            #expect(revoked.output.contains("does not let this key in"), "\(revoked)")
            #expect(!revoked.output.contains("Who was refused"), "\(revoked)")
            let doctor = try await team.run("anna", "doctor")
            #expect(doctor.output.contains("from 127.0.0.1 ("), "\(doctor)")
        }
    }

    @Test("Whoever is revoked sees and says nothing from that moment, and others notice nothing")
    func revoked() async throws {
        try await withKeys { team in
            for person in ["ben", "cora"] { try await team.join(person, as: .reporter) }
            try await team.join("vera", as: .viewer)
            let ben = try team.reporter(of: "ben", "Of ben")
            let cora = try team.reporter(of: "cora", "Of cora")
            for worker in [ben, cora] {
                worker.update("root", #""completed":1,"total":10"#)
                try await worker.sync()
            }
            let watching = try team.bus.start(
                "watch",
                ["--json"],
                adding: team.variables(of: "vera")
            )
            try await eventually("the viewer sees both") {
                watching.output.contains("Of ben") && watching.output.contains("Of cora")
                    ? true : nil
            }
            for person in ["ben", "vera"] {
                #expect(try await team.run("anna", "revoke", person).end == .exited(0))
            }
            let seen = watching.output.count
            for worker in [ben, cora] { worker.update("root", #""completed":7"#) }
            try await cora.sync()
            #expect(try await team.jobs(seenBy: "anna") == ["Of ben": 1, "Of cora": 7])
            _ = try await watching.finish(within: .seconds(20))
            #expect(!watching.output.dropFirst(seen).contains(#""completed":7"#))
            #expect(watching.errorOutput.contains("revoked"), "\(watching.errorOutput)")
            #expect(
                try await team.run("vera", "status").errorOutput.contains(
                    "does not let this key in"
                )
            )
            #expect(try await team.members() == ["anna@\(host)": "admin", "cora": "reporter"])
        }
    }

    @Test("A worker that was revoked goes on, and reports again once it has joined again")
    func joinedAgain() async throws {
        try await withKeys { team in
            try await team.join("ben", as: .reporter)
            let worker = try team.reporter(of: "ben", "Encode")
            worker.update("root", #""completed":1,"total":10"#)
            try await worker.sync()
            _ = try await team.run("anna", "revoke", "ben")
            worker.update("root", #""completed":2"#)
            try await eventually("the worker is told", within: .seconds(20)) {
                worker.process.errorOutput.contains("no member's") ? true : nil
            }
            let status = try await team.run("anna", "status")
            #expect(status.output.contains("lost: ben, who reported it, was revoked"), "\(status)")
            let token = try await team.invite("--role", "reporter")
            let joined = try await team.join("ben", by: token, "--replace")
            #expect(joined.end == .exited(0), "\(joined)")
            worker.update("root", #""completed":3"#)
            try await eventually("what it does is seen again", within: .seconds(60)) {
                try await team.jobs(seenBy: "anna")["Encode"] == 3 ? true : nil
            }
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
        }
    }

    @Test("An invitation lets in as many as it says, until it expires, and only whole")
    func invitations() async throws {
        try await withKeys { team in
            let two = try await team.invite("--role", "reporter", "--uses", "2")
            for (person, isLetIn) in [("a", true), ("b", true), ("c", false)] {
                let joined = try await team.join(person, by: two)
                #expect((joined.end == .exited(0)) == isLetIn, "\(joined)")
                if !isLetIn {
                    #expect(joined.errorOutput.contains("as often as it may be"), "\(joined)")
                }
            }
            let short = try await team.invite("--expires", "1s")
            try await eventually("it expires") {
                let joined = try await team.join("d", by: short, "--replace")
                return joined.errorOutput.contains("does not let this invitation in") ? true : nil
            }
            let listed = try await team.run("anna", "members")
            #expect(!listed.output.contains("(invitation)"), "\(listed)")

            let one = try await team.invite()
            let home = team.bus.path("config-f")
            try Data().write(to: URL(fileURLWithPath: home))
            let nowhere = try await team.join("f", by: one)
            #expect(nowhere.end == .exited(73), "\(nowhere)")
            try FileManager.default.removeItem(atPath: home)
            let joined = try await team.join("f", by: one)
            #expect(joined.end == .exited(0), "the invitation was not used up: \(joined)")

            let damaged = try await team.join("e", by: String(two.dropLast(3)))
            #expect(
                damaged.end == .exited(64) && damaged.errorOutput.contains("damaged"),
                "\(damaged)"
            )
            // Never where others could read it.
            let argument = try await team.run("e", "join", two)
            #expect(argument.end == .exited(64), "\(argument)")
            #expect(try await team.members().keys.contains("e") == false)
        }
    }

    @Test("Who names the address of a bus with keys instead of the bus is told so")
    func byAddress() async throws {
        try await withKeys { team in
            let address = try team.membership(of: "anna").address
            /// Where the machine is busy, the refusal may come too late for one that does not wait.
            func told(_ words: String...) async throws -> CommandResult {
                try await eventually("\(words[0]) is told so") {
                    let words = [words[0], "--endpoint", address] + words.dropFirst()
                    let result = try await team.run("anna", words)
                    let said = (result.output + result.errorOutput).lowercased()
                    guard said.contains("name the bus") else { return nil }
                    #expect(!said.contains("start"), "\(result)")
                    return result
                }
            }
            for (command, code) in [("status", 77), ("doctor", 69), ("invite", 64)] {
                let result = try await told(command)
                #expect(result.end == .exited(Int32(code)), "\(result)")
            }
            let run = try await told("run", "--", "echo", "hi")
            #expect(run.end == .exited(0) && run.output == "hi\n", "\(run)")
            #expect(run.errorOutput.contains("Name the bus"), "\(run)")
            let begin = try await told("begin", "X")
            #expect(begin.end == .exited(0) && begin.output == "none\n", "\(begin)")
            #expect(begin.errorOutput.contains("Name the bus"), "\(begin)")
        }
    }

    @Test("Members are still members after the broker was killed, and a key that is renewed is too")
    func lasting() async throws {
        try await withKeys { team in
            try await team.join("ben", as: .reporter)
            let worker = try team.reporter(of: "ben", "Encode")
            worker.update("root", #""completed":1,"total":10"#)
            try await worker.sync()
            let former = try team.endpoint(of: "ben").membership?.keys
            let renewed = try await team.run("ben", "renew")
            #expect(renewed.end == .exited(0), "\(renewed)")
            #expect(try team.endpoint(of: "ben").membership?.keys != former)
            team.bus.children[0].send(SIGKILL)
            try await team.bus.children[0].end()
            let broker = try team.startBroker()
            try await eventually("the broker listens") {
                broker.errorOutput.contains("listening") ? true : nil
            }
            // It has the former key, and holds it in memory.
            worker.update("root", #""completed":5"#)
            try await worker.sync()
            #expect(try await team.jobs(seenBy: "anna")["Encode"] == 5)
            #expect(try await team.run("ben", "run", "--", "true").end == .exited(0))
            #expect(try await team.jobs(seenBy: "anna").count == 2)
        }
    }

    @Test("Secrets are in files that only their user reads, and nowhere else")
    func secrets() async throws {
        try await withKeys { team in
            try await team.join("ben", as: .reporter)
            let worker = try team.reporter(of: "ben", "Encode")
            try await worker.sync()
            let ben = try #require(try team.endpoint(of: "ben").membership)
            let file = try String(
                contentsOfFile: try #require(team.accessFile),
                encoding: .utf8
            )
            let server = String(try #require(file.firstMatch(of: /secret ([0-9a-f]{64})/)?.1))
            var said = team.bus.children.map { $0.output + $0.errorOutput }.joined()
            said += try await team.run("anna", "members", "--json").output
            said += try await team.run("ben", "doctor").output
            #if os(Linux)
            for child in team.bus.children {
                for name in ["cmdline", "environ"] {
                    said +=
                        (try? String(contentsOfFile: "/proc/\(child.pid)/\(name)", encoding: .utf8))
                        ?? ""
                }
            }
            #endif
            #expect(!said.contains(ben.keys.secret.text) && !said.contains(server))
            for path in [
                ben.file.path, try #require(team.accessFile),
            ] {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                #expect(mode as? Int == 0o600, "\(path)")
            }
        }
    }

    @Test("No broker that other machines reach is without keys")
    func alwaysKeys() async throws {
        try await withBus { bus in
            let port = FreePort.any()
            let broker = try bus.start(
                "broker",
                ["--endpoint", "tcp://0.0.0.0:\(port)", "--allow-local-tcp", "--bus", "open"],
                adding: ["XDG_CONFIG_HOME": bus.path("config")]
            )
            try await eventually("it listens or ends") {
                broker.errorOutput.contains("listening")
                    ? true : broker.endIfAny().map { _ in true }
            }
            let status = try bus.start(
                "status",
                ["--endpoint", "tcp://127.0.0.1:\(port)", "--timeout", "1"]
            )
            #expect(try await status.finish() != .exited(0))
            let unknown = try await bus.run("broker", "--allow-remote")
            #expect(unknown.end == .exited(64))
        }
    }

    private var host: String { ProcessInfo.processInfo.hostName }
}
