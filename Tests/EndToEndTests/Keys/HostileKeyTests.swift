import BrokerCore
import BusProtocol
import Foundation
import SwiftProtobuf
import TaskTree
import Testing

/// A bus with keys and those who have none, the wrong ones, or more wishes than rights.
@Suite("Hostile peers of a bus with keys", .serialized, .transcript, .timeLimit(.minutes(5)))
struct HostileKeyTests {
    /// With a worker of cora's that has done one of ten, and ends well afterwards.
    private func withKeys(_ body: (KeyedBus, Reporter) async throws -> Void) async throws {
        try await withBus { bus in
            let team = try await KeyedBus.start(on: bus)
            try await team.join("cora", as: .reporter)
            let worker = try team.reporter(of: "cora", "Encode")
            worker.update("root", #""completed":1,"total":10"#)
            try await worker.sync()
            try await body(team, worker)
            worker.update("root", #""completed":10"#)
            try await worker.sync()
            #expect(try await team.jobs(seenBy: "anna")["Encode"] == 10)
        }
    }

    private func peer(_ person: String, of team: KeyedBus) throws -> KeyedPeer {
        let endpoint = try team.endpoint(of: person)
        return KeyedPeer(endpoint, try #require(endpoint.membership))
    }

    private var viewerHello: WireClientFrame {
        frame(
            .hello(
                .with {
                    $0.session = 5
                    $0.viewer = true
                }
            )
        )
    }

    private func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        .with {
            $0.credentialBytes = [UInt8](repeating: 7, count: 16)
            $0.body = body
        }
    }

    @Test("No key, a wrong key and a wrong server's key let nobody in, and are counted")
    func wrongKeys() async throws {
        try await withKeys { team, _ in
            let cora = try peer("cora", of: team)
            var withoutKeys = cora
            withoutKeys.keys = nil
            var stranger = cora
            stranger.keys = try KeyedPeer.newKeys()
            var misled = cora
            misled.server = try KeyedPeer.newKeys().public
            let hello = viewerHello
            for peer in [withoutKeys, stranger, misled] {
                let (answers, updates, isHeard) = try await onOwnThread {
                    (try peer.ask(hello), try peer.listen(), try peer.report(WireReport()))
                }
                #expect(answers.isEmpty && updates == 0 && !isHeard)
            }
            #expect(try await team.refused() >= 3)
            let words = try await team.run("anna", "members")
            #expect(words.output.contains("refused to let in"), "\(words)")
        }
    }

    @Test("A client that meets another broker than the one it joined says so")
    func wrongServer() async throws {
        try await withKeys { team, _ in
            let path = try #require(try team.endpoint(of: "cora").membership).file.path
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let other = try KeyedPeer.newKeys().public.text
            try text.replacing(/server [0-9a-f]+/, with: "server \(other)")
                .write(toFile: path, atomically: false, encoding: .utf8)
            let begun = try await team.run("cora", "begin", "X", "--strict", "--timeout", "20")
            #expect(begun.errorOutput.contains("is not the broker of the bus team"), "\(begun)")
        }
    }

    @Test("A member that meets a broker without keys where the bus was says so")
    func serverWithoutKeys() async throws {
        try await withBus { bus in
            let team = try await KeyedBus.start(on: bus)
            let first = team.bus.children[0]
            first.send(SIGTERM)
            try await first.end()
            let words = ["--endpoint", "tcp://127.0.0.1:\(team.port)", "--allow-local-tcp"]
            let other = try team.bus.start("broker", words)
            try await eventually("it listens") { other.errorOutput.contains("listening") }
            for command in [["begin", "X", "--strict", "--timeout", "20"], ["status"]] {
                let child = try team.bus.start(
                    command[0],
                    Array(command.dropFirst()),
                    adding: team.variables(of: "anna")
                )
                #expect(try await child.finish() != .exited(0))
                let said = child.errorOutput
                #expect(said.contains("is not the broker of the bus team"), "\(command): \(said)")
            }
        }
    }

    @Test("A reporter sees nothing of others, whatever it asks or subscribes to")
    func curiousReporter() async throws {
        try await withKeys { team, worker in
            try await team.join("rob", as: .reporter)
            let rob = try peer("rob", of: team)
            let updates = Task { try await onOwnThread { try rob.listen(within: 2_000) } }
            for number in 2...5 {
                worker.update("root", #""completed":\#(number)"#)
                try await worker.sync()
            }
            #expect(try await updates.value == 0)
            let hello = frame(.hello(.with { $0.session = 6 }))
            let questions: [WireClientFrame.OneOf_Body] = [
                .snapshot(
                    .with {
                        $0.request = 1
                        $0.topic = "board/0/"
                    }
                ),
                .find(
                    .with {
                        $0.request = 2
                        $0.text = "1"
                    }
                ),
                .command(
                    .with {
                        $0.request = 3
                        $0.verb = .cancel
                        $0.target = WireTaskRef(TaskID(index: 1, session: SessionID(rawValue: 1)))
                    }
                ),
            ]
            let greeted = try await onOwnThread { try rob.ask(hello) }
            #expect(greeted.contains { if case .welcome = $0.body { true } else { false } })
            for question in questions {
                let asked = frame(question)
                let answers = try await onOwnThread { try rob.ask(asked) }
                #expect(answers.count == 1, "\(answers)")
                #expect(answers.first?.refusal.code == RefusalCode.notPermitted.rawValue)
            }
        }
    }

    @Test("A viewer cannot report, and an invitation can only join")
    func smallRights() async throws {
        try await withKeys { team, _ in
            try await team.join("vera", as: .viewer)
            let vera = try peer("vera", of: team)
            #expect(try await onOwnThread { try vera.report(WireReport()) } == false)
            let token = try Invitation(parsing: try await team.invite("--role", "admin"))
            var invited = vera
            let server = token.server
            let keys = BusKeyPair(
                public: try KeyedPeer.publicKey(of: token.secret),
                secret: token.secret
            )
            invited.keys = keys
            invited.server = server
            let guest = invited
            let hello = viewerHello
            let (answers, updates, isHeard) = try await onOwnThread {
                (try guest.ask(hello), try guest.listen(), try guest.report(WireReport()))
            }
            #expect(answers.first?.refusal.sentence.contains("can only join") == true)
            #expect(updates == 0 && !isHeard)
            let admin = frame(
                .access(
                    .with {
                        $0.request = 1
                        $0.members = WireMembersRequest()
                    }
                )
            )
            let refused = try await onOwnThread { try guest.ask(admin) }
            #expect(refused.first?.refusal.code == RefusalCode.notPermitted.rawValue)
        }
    }

    @Test("A reporter with another's credential changes nothing of the other's")
    func forgedStatements() async throws {
        try await withKeys { team, _ in
            for person in ["rob", "eve"] { try await team.join(person, as: .reporter) }
            let rob = try peer("rob", of: team)
            let eve = try peer("eve", of: team)
            let hello = frame(.hello(.with { $0.session = 6 }))
            let greeted = try await onOwnThread { try rob.ask(hello) }
            #expect(greeted.contains { if case .welcome = $0.body { true } else { false } })
            var report = WireReport()
            report.credentialBytes = hello.credentialBytes
            report.sequence = 1
            report.descriptions = [
                .with {
                    $0.index = 1
                    $0.title = "Forged"
                }
            ]
            let forged = report
            let ending = frame(
                .endings(
                    .with {
                        $0.sequence = 2
                        $0.endings = [
                            .with {
                                $0.description_p = forged.descriptions[0]
                                $0.state = .succeeded
                            }
                        ]
                    }
                )
            )
            _ = try await onOwnThread { try eve.report(forged) }
            let answers = try await onOwnThread { try eve.ask(ending) }
            #expect(answers.first?.refusal.code == RefusalCode.badCredential.rawValue, "\(answers)")
            #expect(try await team.jobs(seenBy: "anna").keys.sorted() == ["Encode"])
        }
    }

    @Test("Handshakes without end and connections that say nothing hold nobody up for long")
    func floods() async throws {
        try await withKeys { team, worker in
            let cora = try peer("cora", of: team)
            // One alone makes some 700 a second.
            let floods = (0..<2).map { _ in
                Task { try await onOwnThread { try cora.knock(forMilliseconds: 5_000) } }
            }
            let loitering = Task {
                try await onOwnThread { try cora.loiter(connections: 200, seconds: 8) }
            }
            var worst = Duration.zero
            for number in 0..<20 {
                worker.update("root", #""completed":\#(number % 10)"#)
                let began = ContinuousClock.now
                try await worker.sync()
                worst = max(worst, ContinuousClock.now - began)
                try await Task.sleep(for: .milliseconds(200))
            }
            let count = try await floods[0].value + floods[1].value
            #expect(try await loitering.value == 0, "they are closed after three seconds")
            print("\(count) handshakes begun in 5 s; the longest sync of a member: \(worst)")
            #expect(worst < .seconds(10), "\(count) handshakes")
            // The address is held off for a while; then whoever has a key is let in again.
            try await eventually("members get in again", within: .seconds(60)) {
                try await team.run("cora", "begin", "Later", "--strict").end == .exited(0)
            }
            #expect(try await team.refused() >= RefusedAttempts.perWindow)
        }
    }

    @Test("What was recorded on the way of a join is of no use")
    func replayedJoin() async throws {
        try await withKeys { team, _ in
            let relay = try TCPRelay(to: team.port)
            let token = try await team.invite(
                "--role",
                "admin",
                "--address",
                "tcp://127.0.0.1:\(relay.port)"
            )
            #expect(try await team.join("ben", by: token).end == .exited(0))
            #expect(try await team.members().count == 3)
            _ = try await team.run("anna", "revoke", "ben")
            let count = try await onOwnThread { try relay.replay() }
            #expect(count > 400, "a greeting, a handshake and the join")
            #expect(try await team.members().count == 2)
        }
    }
}
