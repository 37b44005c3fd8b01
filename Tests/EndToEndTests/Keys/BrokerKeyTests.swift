import BusProtocol
import Foundation
import Testing

/// The key of a broker is renewed while members work.
@Suite("The broker's key", .serialized, .transcript, .timeLimit(.minutes(5)))
struct BrokerKeyTests {
    private func withKeys(_ body: (KeyedBus) async throws -> Void) async throws {
        try await withBus { bus in try await body(try await KeyedBus.start(on: bus)) }
    }

    /// A worker that has done one of ten.
    private func worker(of person: String, on team: KeyedBus) async throws -> Reporter {
        let worker = try team.reporter(of: person, "Encode")
        worker.update("root", #""completed":1,"total":10"#)
        try await worker.sync()
        return worker
    }

    @Test("Workers and viewers follow it: nothing is lost or counted twice, and nobody is needed")
    func rolledOver() async throws {
        try await withKeys { team in
            for person in ["ben", "away"] { try await team.join(person, as: .reporter) }
            try await team.join("vera", as: .viewer)
            let former = try team.membership(of: "ben").server
            let worker = try await worker(of: "ben", on: team)
            worker.begin("first", "First")
            let watching = try team.bus.start(
                "watch",
                ["--json"],
                adding: team.variables(of: "vera")
            )
            try await eventually("the viewer sees the job") {
                watching.output.contains("Encode") ? true : nil
            }
            #expect(try await team.run("ben", "renew", "--broker").end == .exited(77))
            let made = try await team.run("anna", "renew", "--broker")
            #expect(made.end == .exited(0) && made.errorOutput.contains("takes its next key"))
            let next = try #require(try team.membership(of: "anna").nextServer)
            try await eventually("the worker and the viewer have been told") {
                try team.membership(of: "ben").nextServer == next
                    && team.membership(of: "vera").nextServer == next ? true : nil
            }
            #expect(try team.membership(of: "away").nextServer == nil)
            #expect(try team.membership(of: "ben").server == former)
            try await team.join("cora", as: .reporter)
            #expect(try team.membership(of: "cora").nextServer == next)

            let taken = try await team.run("anna", "renew", "--broker", "--now")
            #expect(taken.end == .exited(0), "\(taken)")
            worker.end("first", "succeeded")
            worker.update("root", #""completed":7"#)
            try await worker.sync()
            // The broker begins anew with it, and may have answered before.
            try await eventually("it is seen") {
                (try? await team.jobs(seenBy: "anna")) == ["Encode": 7] ? true : nil
            }
            try await eventually("the viewer sees it too", within: .seconds(20)) {
                watching.output.contains(#""completed":7"#) ? true : nil
            }
            for person in ["ben", "vera", "anna"] {
                try await eventually("the file of \(person) says it") {
                    let membership = try team.membership(of: person)
                    return membership.server == next && membership.nextServer == nil ? true : nil
                }
            }
            #expect(try await team.run("cora", "run", "--", "true").end == .exited(0))
            #expect(try await team.jobs(seenBy: "anna").count == 2)
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
            let complaints = worker.process.errorOutput
            #expect(!complaints.contains("reported"), "\(complaints)")
            #expect(watching.endIfAny() == nil, "\(watching.errorOutput)")

            let away = try await team.run("away", "begin", "Late", "--strict")
            #expect(away.end != .exited(0), "\(away)")
            #expect(away.errorOutput.contains("join --replace"), "\(away)")
            try await team.join("dora", as: .viewer)
            #expect(try await team.jobs(seenBy: "dora").count == 2)
        }
    }

    @Test("doctor tells a member that was away what has become of the key, and what to do")
    func doctorOfOneAway() async throws {
        try await withKeys { team in
            for person in ["away", "told"] { try await team.join(person, as: .controller) }
            #expect(try await team.run("anna", "renew", "--broker").end == .exited(0))
            #expect(try await team.run("told", "status").end == .exited(0))
            #expect(try await team.run("anna", "renew", "--broker", "--now").end == .exited(0))
            // The broker begins anew with its key in this moment.
            let told = try await eventually("all is well") {
                let told = try await team.run("told", "doctor")
                return told.end == .exited(0) ? told : nil
            }
            #expect(told.output.contains("all three sockets work"), "\(told)")
            let away = try await team.run("away", "doctor")
            #expect(away.end == .exited(69), "\(away)")
            let bad = away.output.split(separator: "\n").filter { $0.hasPrefix("bad") }
            #expect(bad.count == 1, "\(away)")
            #expect(bad.first?.contains("it has another key, or none") == true, "\(away)")
            #expect(bad.first?.contains("`progressbus join --replace`") == true, "\(away)")
        }
    }

    @Test("A broker that begins after the day takes its next key, and workers follow it")
    func takenAtTheBeginning() async throws {
        try await withKeys { team in
            try await team.join("ben", as: .reporter)
            let worker = try await worker(of: "ben", on: team)
            #expect(try await team.run("anna", "renew", "--broker").end == .exited(0))
            let next = try #require(try team.membership(of: "anna").nextServer)
            try await eventually("the worker has been told") {
                try team.membership(of: "ben").nextServer == next ? true : nil
            }
            team.bus.children[0].send(SIGKILL)
            try await team.bus.children[0].end()
            let file = try #require(team.accessFile)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let handle = try #require(FileHandle(forWritingAtPath: file))
            try handle.truncate(atOffset: 0)
            let line = /(next [0-9a-f]{64} [0-9a-f]{64}) [0-9]+/
            try handle.write(contentsOf: Data(text.replacing(line) { "\($0.1) 1" }.utf8))
            try handle.close()
            let broker = try team.startBroker()
            try await eventually("the broker listens") {
                broker.errorOutput.contains("listening") ? true : nil
            }
            worker.update("root", #""completed":5"#)
            try await worker.sync()
            #expect(try await team.jobs(seenBy: "anna") == ["Encode": 5])
            #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("next"))
            let membership = try team.membership(of: "ben")
            #expect(membership.server == next && membership.nextServer == nil)
        }
    }
}
