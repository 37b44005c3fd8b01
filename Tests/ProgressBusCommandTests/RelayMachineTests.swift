import BusProtocol
import TaskTree
import Testing

@testable import ProgressBusCommand

@Suite("Whose frames of another machine go on to a broker with keys")
struct RelayMachineTests {
    private typealias Action = RelayMachine.Action

    private func moment(_ seconds: Double) -> Moment {
        Moment(nanoseconds: 0).advanced(bySeconds: seconds)
    }

    private func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
        var frame = WireClientFrame()
        frame.credentialBytes = [UInt8](repeating: 7, count: 16)
        frame.body = body
        return frame
    }

    private func hello(isViewer: Bool = false) -> WireClientFrame {
        var hello = WireHello()
        hello.session = 1
        hello.viewer = isViewer
        return frame(.hello(hello))
    }

    private let beat: WireClientFrame.OneOf_Body = .heartbeat(WireHeartbeat())

    private func said(_ body: WireBrokerFrame.OneOf_Body) -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = 5
        frame.body = body
        return frame
    }

    private func refusals(in actions: [Action]) -> [WireRefusal] {
        actions.compactMap { action in
            guard case .answer(let frame, _) = action, case .refusal(let refusal) = frame.body
            else { return nil }
            return refusal
        }
    }

    @Test("a peer has a connection from its first word on, and one alone")
    func opens() {
        var machine = RelayMachine()
        let first = machine.take(Frame.encode(hello()), from: [1], at: moment(0))
        #expect(first == [.open([1]), .pass(hello(), from: [1])])
        let second = machine.take(Frame.encode(frame(beat)), from: [1], at: moment(1))
        #expect(second == [.pass(frame(beat), from: [1])])
        #expect(machine.take(Frame.encode(hello()), from: [2], at: moment(1)).count == 2)
    }

    @Test("what a reporter says goes on, and nothing else, which is said in words")
    func rights() {
        var redeem = WireRedeem()
        redeem.index = 1
        redeem.ticket.session = 9
        redeem.ticket.index = 1
        var sync = WireSync()
        sync.request = 3
        var probe = WireProbe()
        probe.request = 3
        for body in [beat, .sync(sync), .redeem(redeem), .probe(probe), .goodbye(WireGoodbye())] {
            var machine = RelayMachine()
            let actions = machine.take(Frame.encode(frame(body)), from: [1], at: moment(0))
            #expect(actions == [.open([1]), .pass(frame(body), from: [1])], "\(body)")
        }
        var snapshot = WireSnapshotRequest()
        snapshot.request = 3
        snapshot.topic = "totals/"
        var find = WireFind()
        find.request = 3
        var command = WireCommandRequest()
        command.request = 3
        command.target = redeem.ticket
        // With the keys of this member it would give these to somebody else.
        var renew = WireAccessRequest()
        renew.request = 3
        renew.renew.publicKey = BusKey([UInt8](repeating: 3, count: 32))
        for (body, request) in [
            (hello(isViewer: true).body, 0), (.snapshot(snapshot), 3), (.find(find), 3),
            (.command(command), 3), (.access(renew), 3),
        ] as [(WireClientFrame.OneOf_Body?, UInt64)] {
            guard let body else { continue }
            var machine = RelayMachine()
            let actions = machine.take(Frame.encode(frame(body)), from: [1], at: moment(0))
            let refusals = refusals(in: actions)
            #expect(actions.count == 1 && refusals.count == 1, "\(body)")
            #expect(refusals.first?.code == RefusalCode.notPermitted.rawValue, "\(body)")
            #expect(refusals.first?.request == request, "\(body)")
            #expect(refusals.first?.sentence.contains("may only report") == true, "\(body)")
        }
    }

    @Test("what is no frame is refused, and what a newer version may say goes nowhere")
    func strange() {
        var machine = RelayMachine()
        let refused = refusals(in: machine.take([1, 2, 3], from: [1], at: moment(0)))
        #expect(refused.map(\.code) == [RefusalCode.malformed.rawValue])
        // Field 100 of the body's kinds, which this version does not have.
        let newer = Frame.encode(hello()).prefix(8 + 18) + [0xa2, 0x06, 0x00]
        #expect(machine.take(Array(newer), from: [1], at: moment(0)).isEmpty)
    }

    @Test("a full relay gives the place of who is silent to a newcomer, and else refuses it")
    func bound() {
        var machine = RelayMachine()
        let peers = (0..<RelayMachine.limit).map { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for peer in peers { _ = machine.take(Frame.encode(hello()), from: peer, at: moment(0)) }
        let late = machine.take(Frame.encode(hello()), from: [9, 9, 9], at: moment(1))
        #expect(refusals(in: late).map(\.code) == [RefusalCode.busy.rawValue])
        for peer in peers.dropFirst() {
            _ = machine.take(Frame.encode(frame(beat)), from: peer, at: moment(3))
        }
        let again = machine.take(Frame.encode(hello()), from: [9, 9, 9], at: moment(5))
        #expect(again == [.close(peers[0]), .open([9, 9, 9]), .pass(hello(), from: [9, 9, 9])])
        #expect(
            refusals(in: machine.take(Frame.encode(hello()), from: peers[0], at: moment(5))).count
                == 1
        )
    }

    @Test("a peer is given up after its last answer, when it is gone, and after a long silence")
    func ends() {
        for last: WireBrokerFrame.OneOf_Body in [
            .goodbyeAccepted(WireGoodbyeAccepted()), .detached(WireDetachedAnswer()),
        ] {
            var machine = RelayMachine()
            _ = machine.take(Frame.encode(hello()), from: [1], at: moment(0))
            let actions = machine.take(said(last), for: [1], at: moment(1))
            #expect(actions == [.answer(said(last), to: [1]), .close([1])])
            #expect(
                machine.take(Frame.encode(hello()), from: [1], at: moment(1)).first == .open([1])
            )
        }
        var machine = RelayMachine()
        for peer: [UInt8] in [[1], [2], [3]] {
            _ = machine.take(Frame.encode(hello()), from: peer, at: moment(0))
        }
        #expect(machine.gone([1]) == [.close([1])] && machine.gone([1]).isEmpty)
        _ = machine.take(Frame.encode(frame(beat)), from: [3], at: moment(60))
        #expect(machine.lookAtTime(moment(89)).isEmpty)
        #expect(machine.lookAtTime(moment(90)) == [.close([2])])
        #expect(machine.lookAtTime(moment(150)) == [.close([3])])
    }

    @Test("a key that is not let in: all peers are told, and the broker is not asked for a while")
    func notLetIn() {
        var machine = RelayMachine()
        _ = machine.take(Frame.encode(hello()), from: [1], at: moment(0))
        let no = WireRefusal(.notPermitted, "It was revoked.")
        let actions = machine.take(said(.refusal(no)), for: [1], at: moment(1))
        #expect(refusals(in: actions) == [no] && actions.last == .close([1]))
        for peer: [UInt8] in [[1], [2]] {
            let asked = machine.take(Frame.encode(hello()), from: peer, at: moment(5))
            #expect(refusals(in: asked) == [no] && asked.count == 1)
        }
        let later = machine.take(Frame.encode(hello()), from: [2], at: moment(6))
        #expect(later == [.open([2]), .pass(hello(), from: [2])])
        // What is refused of one request says nothing of the key.
        let other = said(.refusal(WireRefusal(.notPermitted, "No.", index: 3)))
        #expect(machine.take(other, for: [2], at: moment(7)) == [.answer(other, to: [2])])
    }
}
