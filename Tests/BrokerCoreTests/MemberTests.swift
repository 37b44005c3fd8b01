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
        func ask(
            _ operation: WireDetachedRequest.OneOf_Operation,
            by member: String
        ) -> WireDetachedAnswer? {
            var request = WireDetachedRequest()
            request.requestIDBytes = SessionCredential.random().bytes
            request.operation = operation
            bus.sent = []
            bus.control(Client(5), by: member, .detached(request))
            return bus.sent.last?.frame.detached
        }
        let begun = try #require(ask(.begin(.with { $0.title = "Back up" }), by: "ben"))
        let step = WireDetachedRequest.OneOf_Operation.advance(
            .with {
                $0.task = begun.task
                $0.by = 1
            }
        )
        #expect(ask(step, by: "ben")?.code == 0)
        #expect(ask(step, by: "eve")?.code == RefusalCode.notPermitted.rawValue)
        bus = bus.restarted()
        bus.pass(2.5, hearing: [])
        #expect(ask(step, by: "eve")?.code == RefusalCode.notPermitted.rawValue)
        #expect(ask(step, by: "ben")?.code == 0)
    }
}

extension Bus {
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
