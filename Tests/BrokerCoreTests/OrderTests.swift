import BrokerCore
import BusProtocol
import TaskTree
import TestSupport
import Testing

@Suite struct OrderTests {
    private let clients = [Client(1), Client(3), Client(4)]
    private let viewer = Client(2, viewer: true)
    private static let children: UInt64 = 12

    /// What sessions say, in the order in which each says it.
    private func conversation(_ generator: inout SplitMix64) -> [(Client, WireReport)] {
        var said: [(Client, WireReport)] = []
        let job = clients[0].task(1)
        for client in clients {
            var report = WireReport()
            report.credentialBytes = client.credential.bytes
            report.sequence = 1
            if client.session == job.session {
                report.descriptions = [client.description(1, "Job")]
                report.add(1, completed: 3, total: 101)
            }
            for index in 2...Self.children {
                let share = Int64.random(in: 0...9, using: &generator)
                report.descriptions.append(
                    client.description(index, "Part", parent: job, share: share)
                )
            }
            said.append((client, report))
        }
        for sequence in 2...60 as ClosedRange<UInt64> {
            for client in clients {
                var report = WireReport()
                report.credentialBytes = client.credential.bytes
                report.sequence = sequence
                let index = UInt64.random(in: 2...Self.children, using: &generator)
                let total = Int64.random(in: 1...1_000, using: &generator)
                report.add(
                    index,
                    completed: .random(in: 0...total, using: &generator),
                    total: total
                )
                said.append((client, report))
            }
        }
        return said
    }

    private func fractions(
        of said: [(Client, WireReport)],
        ticking generator: inout SplitMix64
    ) -> [String: UInt64] {
        var bus = Bus()
        for client in clients + [viewer] { bus.control(client, client.hello) }
        for (_, report) in said {
            bus.perform(bus.machine.receive(report, now: bus.now))
            if generator.oneIn(5) { bus.pass() }
        }
        bus.pass()
        let rows = bus.rows(of: .job(clients[0].task(1)), asking: viewer)
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                ("\($0.task.index)-\($0.task.session)", $0.progress.fraction.bitPattern)
            }
        )
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func twoBrokersThatHearTheSameInAnyOrderShowTheSameBits(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let said = conversation(&generator)
        let inOrder = fractions(of: said, ticking: &generator)
        let repeated = said + said.shuffled(using: &generator).prefix(50)
        let shuffled = fractions(of: repeated.shuffled(using: &generator), ticking: &generator)
        #expect(inOrder.count == clients.count * Int(Self.children - 1) + 1, "seed \(seed)")
        #expect(inOrder == shuffled, "seed \(seed)")
    }
}
