import BusProtocol
import Testing
import ZeroMQ

@testable import ProgressBusBroker

@Suite("Whose report is worked off next")
struct FairBacklogTests {
    /// A report of a session; its last byte is its number.
    private func message(_ session: UInt8, _ number: UInt8) -> ReceivedMessage {
        var report = WireReport()
        report.credentialBytes = Array(repeating: session, count: 16)
        report.sequence = UInt64(number)
        return ReceivedMessage(parts: [Frame.encode(report)])
    }

    private func all(_ backlog: inout FairBacklog) -> [(session: UInt8, number: UInt8)] {
        var messages: [(UInt8, UInt8)] = []
        while let message = backlog.next() {
            messages.append((message.parts[0][FrameHeader.size + 2], message.parts[0].last ?? 0))
        }
        return messages
    }

    @Test("behind 10,000 of one session: another's is the second")
    func flood() {
        var backlog = FairBacklog()
        backlog.add((0..<10_000).map { _ in message(1, 1) })
        backlog.add([message(2, 9)])
        #expect(all(&backlog).prefix(2).map(\.session) == [1, 2])
    }

    @Test("behind 200 of as many unknown names: a known session's is the second")
    func manyNames() {
        var backlog = FairBacklog()
        let messages = (UInt8(1)...200).map { message($0, 1) } + [message(201, 9)]
        let known = SessionCredential(Array(repeating: 201, count: 16))
        backlog.add(messages, isKnown: { $0 == known })
        #expect(backlog.senders == 2)
        #expect(all(&backlog).prefix(2).map(\.session) == [1, 201])
    }

    @Test("added while another has its turn: at once after that one")
    func later() {
        var backlog = FairBacklog()
        backlog.add([message(1, 1), message(1, 2), message(1, 3)])
        _ = backlog.next()
        backlog.add([message(2, 9)])
        #expect(all(&backlog).map(\.session) == [2, 1, 1])
    }

    @Test("each session's own: in the order in which they came, none lost")
    func order() {
        var backlog = FairBacklog()
        var expected: [UInt8: [UInt8]] = [:]
        for number in UInt8(1)...100 {
            for session in UInt8(1)...4 where number % session == 0 {
                backlog.add([message(session, number)])
                expected[session, default: []].append(number)
            }
        }
        var got: [UInt8: [UInt8]] = [:]
        for (session, number) in all(&backlog) { got[session, default: []].append(number) }
        #expect(got == expected)
        #expect(backlog.next() == nil)
    }

    @Test("more sessions than lines are kept for, over and over: none lost, each in its order")
    func manySenders() {
        var backlog = FairBacklog()
        for round in UInt8(0)..<3 {
            var expected: [[UInt8]] = []
            for number in 0..<6_000 {
                var report = WireReport()
                report.credentialBytes = (0..<16).map {
                    UInt8(truncatingIfNeeded: number >> ($0 * 4))
                }
                report.sequence = UInt64(round) + 1
                expected.append(Frame.encode(report))
            }
            backlog.add(expected.map { ReceivedMessage(parts: [$0]) })
            backlog.add(expected.map { ReceivedMessage(parts: [$0]) })
            var got: [[UInt8]: Int] = [:]
            while let message = backlog.next() { got[message.parts[0], default: 0] += 1 }
            #expect(got.count == 6_000)
            #expect(got.values.allSatisfy { $0 == 2 })
        }
    }

    @Test("100,000 senders of one frame each, while one always has more: they leave nothing behind")
    func newNames() {
        var backlog = FairBacklog()
        backlog.add([message(1, 1), message(1, 1)])
        var frame = message(2, 1).parts[0]
        let name = FrameHeader.size + 2
        var most = 0
        var turns = 0
        for number in 0..<100_000 {
            for byte in 0..<3 {
                frame[name + byte] = UInt8(truncatingIfNeeded: number >> (byte * 8))
            }
            backlog.add([ReceivedMessage(parts: [frame])])
            most = max(most, backlog.senders)
            guard backlog.next()?.parts[0][name + 3] == 1 else { continue }
            turns += 1
            backlog.add([message(1, 1)])
            _ = backlog.next()
        }
        #expect(most <= 3)
        #expect(turns > 10_000)
        while backlog.next() != nil {}
        #expect(backlog.senders == 0)
    }

    @Test("new senders all the time: one that waits has its turn behind those before it alone")
    func noStarvation() {
        var backlog = FairBacklog()
        backlog.add([message(1, 1), message(1, 2), message(2, 1)])
        var turn: [UInt8] = []
        for number in UInt8(3)..<20 {
            turn.append(backlog.next()?.parts[0][FrameHeader.size + 2] ?? 0)
            backlog.add([message(number, 1)])
        }
        #expect(turn.prefix(4) == [1, 2, 3, 1])
        #expect(turn.filter { $0 == 1 }.count == 2)
    }

    @Test("what is no report: has a turn like a session's")
    func noise() {
        var backlog = FairBacklog()
        let noise: [[[UInt8]]] = [[], [[]], [[1, 2, 3]]]
        backlog.add(noise.map { ReceivedMessage(parts: $0) } + [message(1, 1)])
        var count = 0
        while backlog.next() != nil { count += 1 }
        #expect(count == 4)
    }
}
