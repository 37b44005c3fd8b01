import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

@testable import BrokerCore

/// Sessions of members of a bus that has keys: nobody speaks for another's, whatever he knows.
@Suite struct MemberTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    /// The worker is ben's and has done half of its only task.
    private func bus() -> Bus {
        var bus = Bus()
        bus.control(worker, by: "ben", worker.hello)
        // It asks by helpers that know no members.
        bus.control(viewer, viewer.hello)
        bus.report(worker, by: "ben") {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Encode")]
            $0.add(1, completed: 1, total: 2)
        }
        bus.pass()
        return bus
    }

    @Test func aMemberWithAnothersCredentialIsRefusedInAllItSays() throws {
        var bus = bus()
        var thief = worker
        thief.route = Route(bytes: [0, 9])
        let ending = worker.ending(worker.description(1, "Encode"), .failed, completed: 9, total: 9)
        for body in [
            worker.hello, worker.endings(2, [ending]), .goodbye(WireGoodbye()),
            .heartbeat(WireHeartbeat()),
        ] {
            bus.sent = []
            bus.control(thief, by: "eve", body)
            let answer = try #require(bus.sent.last)
            #expect(answer.route == thief.route)
            #expect(answer.frame.refusal.code == RefusalCode.badCredential.rawValue)
        }
        bus.report(worker, by: "eve") {
            $0.sequence = 3
            $0.add(1, completed: 2, total: 2)
        }
        bus.pass()
        let row = try bus.shown(worker.task(1), to: viewer)
        #expect(row.progress.completed == 1 && row.progress.state == .running)
    }

    @Test func aMemberComesBackAfterARestartAndNobodyElseDoesThen() throws {
        var bus = bus().restarted()
        bus.control(worker, by: "ben", worker.hello)
        bus.sent = []
        bus.control(worker, by: "eve", worker.hello)
        #expect(bus.sent.last?.frame.refusal.code == RefusalCode.badCredential.rawValue)
    }

    @Test func nothingIsSentToWhoIsRevoked() throws {
        var bus = bus()
        #expect(bus.machine.revoked("ben", now: bus.now) == [worker.route])
        bus.sent = []
        bus.control(
            viewer,
            .command(
                .with {
                    $0.request = 1
                    $0.verb = .cancel
                    $0.target = WireTaskRef(worker.task(1))
                }
            )
        )
        bus.pass(12, hearing: [])
        #expect(!bus.sent.contains { $0.route == worker.route })
    }

    @Test func whatWhoIsRevokedHasNotEndedIsLostAndSaysWhyUntilTheMemberIsBack() throws {
        var bus = bus()
        _ = bus.machine.revoked("ben", now: bus.now)
        bus.pass()
        let lost = try bus.shown(worker.task(1), to: viewer)
        #expect(lost.progress.state == .lost)
        #expect(lost.progress.reason == "ben, who reported it, was revoked")
        bus.control(worker, by: "ben", worker.hello)
        bus.report(worker, by: "ben") {
            $0.sequence = 3
            $0.add(1, completed: 2, total: 2)
        }
        bus.pass()
        let row = try bus.shown(worker.task(1), to: viewer)
        #expect(row.progress.completed == 2 && row.progress.state == .running)
    }

    @Test func aDetachedTaskIsItsMembersAlsoAfterARestart() throws {
        var bus = bus()
        bus.pass(2.5, hearing: [])
        let begun = try bus.begin("Back up", by: "ben")
        let step = begun.task.advance
        #expect(bus.ask(step, by: "ben")?.code == 0)
        #expect(bus.ask(step, by: "eve")?.code == RefusalCode.notPermitted.rawValue)
        bus = bus.restarted()
        bus.pass(2.5, hearing: [])
        #expect(bus.ask(step, by: "eve")?.code == RefusalCode.notPermitted.rawValue)
        #expect(bus.ask(step, by: "ben")?.code == 0)
    }

    @Test func whoJoinsUnderTheNameOfARevokedMemberDoesNotSpeakForItsDetachedTasks() throws {
        var bus = bus()
        bus.pass(2.5, hearing: [])
        let begun = try bus.begin("Back up", by: "ben")
        _ = bus.machine.revoked("ben", now: bus.now)
        #expect(bus.ask(begun.task.advance, by: "ben")?.code == RefusalCode.taskEnded.rawValue)
        bus.pass()
        let id = try #require(begun.task.taskID())
        let row = try bus.shown(id, to: viewer)
        #expect(row.progress.state == .cancelled)
        #expect(row.progress.reason == "ben, who began it, was revoked")
    }

    @Test func nobodyGuessesTheIdOfAnothersDetachedTaskFromItsOwn() throws {
        var bus = bus()
        bus.pass(2.5, hearing: [])
        let indices = try (1...20).map { number in
            let begun = try bus.begin("Part \(number)", by: number % 2 == 0 ? "ben" : "eve")
            return try #require(begun.task.taskID()).index
        }
        let steps = zip(indices, indices.dropFirst()).map { $1 - $0 }
        #expect(Set(steps).count == 19 && steps.contains { $0 > 1 << 24 }, "\(steps)")
        bus = bus.restarted()
        bus.pass(2.5, hearing: [])
        let next = try bus.begin("Later", by: "eve")
        #expect(try #require(next.task.taskID()).index > (indices.last ?? 0))
    }

    @Test func belowAnothersTaskOnlyWhoWasGivenTheWholeIdOfASessionsTaskBeginsOne() throws {
        var bus = bus()
        bus.pass(2.5, hearing: [])
        func begin(below parent: String, by member: String) -> UInt32? {
            let begin = WireDetachedBegin.with {
                $0.title = "Part"
                $0.parent = parent
            }
            return bus.ask(.begin(begin), by: member)?.code
        }
        let begun = try bus.begin("Back up", by: "ben")
        let detached = try #require(begun.task.taskID())
        let refused = RefusalCode.notPermitted.rawValue
        for guess in ["Back up", detached.description, "id:\(detached)", "Encode", "1"] {
            #expect(begin(below: guess, by: "eve") == refused, "\(guess)")
            #expect(begin(below: guess, by: "ben") == 0, "\(guess)")
        }
        #expect(begin(below: "id:\(worker.task(1))", by: "eve") == 0)
    }
}

extension WireTaskRef {
    fileprivate var advance: WireDetachedRequest.OneOf_Operation {
        .advance(
            .with {
                $0.task = self
                $0.by = 1
            }
        )
    }
}

extension Bus {
    /// What comes of a request about a detached task.
    fileprivate mutating func ask(
        _ operation: WireDetachedRequest.OneOf_Operation,
        by member: String
    ) -> WireDetachedAnswer? {
        var request = WireDetachedRequest()
        request.requestIDBytes = SessionCredential.random().bytes
        request.operation = operation
        sent = []
        control(Client(5), by: member, .detached(request))
        return sent.last?.frame.detached
    }

    fileprivate mutating func begin(
        _ title: String,
        by member: String
    ) throws -> WireDetachedAnswer {
        let answer = ask(.begin(.with { $0.title = title }), by: member)
        return try #require(answer)
    }

    fileprivate mutating func control(
        _ client: Client,
        by member: String,
        _ body: WireClientFrame.OneOf_Body
    ) {
        var frame = WireClientFrame()
        frame.credentialBytes = client.credential.bytes
        frame.body = body
        perform(machine.receive(frame, from: client.route, member: member, now: now))
    }

    fileprivate mutating func report(
        _ client: Client,
        by member: String,
        _ build: (inout WireReport) -> Void
    ) {
        var report = WireReport()
        report.credentialBytes = client.credential.bytes
        build(&report)
        perform(machine.receive(report, member: member, now: now))
    }
}
