import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// What one client may ask for: at the limit answered, above it refused in words that name it, and
/// nothing of it is kept when it is over.
@Suite struct RequestLimitTests {
    let worker = Client(1)
    let other = Client(3)
    let viewer = Client(2, viewer: true)
    let second = Client(4, viewer: true)

    /// A job of `worker` with a child of `other`.
    private func bus(_ change: (inout CoreConfiguration) -> Void = { _ in }) -> Bus {
        var configuration = CoreConfiguration()
        change(&configuration)
        var bus = Bus(configuration: configuration)
        for client in [worker, other, viewer, second] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
        }
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Part", parent: worker.task(1))]
        }
        bus.pass()
        return bus
    }

    private func refusals(_ bus: Bus, to client: Client) -> [WireRefusal] {
        bus.answers(to: client).compactMap {
            if case .refusal(let refusal) = $0 { refusal } else { nil }
        }
    }

    private func find(_ count: Int, by client: Client, in bus: inout Bus) {
        for number in 1...count {
            var find = WireFind()
            find.request = UInt64(number)
            find.text = "key:Job"
            bus.control(client, .find(find))
        }
    }

    private func command(
        _ verb: WireVerb,
        _ numbers: ClosedRange<UInt64>,
        by client: Client,
        in bus: inout Bus
    ) {
        for number in numbers {
            var command = WireCommandRequest()
            command.request = number
            command.verb = verb
            command.target = WireTaskRef(worker.task(1))
            command.timeout = 2_000
            bus.control(client, .command(command))
        }
    }

    private func deliveries(_ bus: Bus, to client: Client) -> [WireCommandDelivery] {
        bus.answers(to: client).compactMap {
            if case .command(let delivery) = $0 { delivery } else { nil }
        }
    }

    private func answer(_ delivery: UInt64, by client: Client, in bus: inout Bus) {
        var answer = WireCommandAnswer()
        answer.delivery = delivery
        answer.outcome = .accepted
        bus.control(client, .commandAnswer(answer))
    }

    private func expectNothing(in bus: Bus, at location: SourceLocation = #_sourceLocation) {
        let book = bus.machine.commands
        #expect(
            [book.count, book.deliveryCount, book.room.ownerCount] == [0, 0, 0],
            sourceLocation: location
        )
    }

    @Test("finds in a second: above the limit busy, for this session and this second alone")
    func finds() {
        var bus = bus()
        let limit = CoreConfiguration().findsPerSecond
        find(limit + 2, by: viewer, in: &bus)
        find(limit, by: second, in: &bus)
        let refused = refusals(bus, to: viewer)
        #expect(refused.map(\.request) == [UInt64(limit + 1), UInt64(limit + 2)])
        #expect(refused.allSatisfy { $0.code == RefusalCode.busy.rawValue })
        #expect(refused.allSatisfy { $0.sentence.contains(" \(limit) ") })
        #expect(refusals(bus, to: second).isEmpty)
        bus.pass(1.1)
        find(limit, by: viewer, in: &bus)
        #expect(refusals(bus, to: viewer).count == 2)
    }

    @Test("commands in a second: above the limit busy, before anything is looked at")
    func commandsPerSecond() {
        var bus = bus { $0.commandsPerSecond = 5 }
        command(.dismiss, 1...7, by: viewer, in: &bus)
        command(.dismiss, 1...5, by: second, in: &bus)
        let refused = refusals(bus, to: viewer)
        #expect(refused.map(\.request) == [6, 7])
        #expect(refused.allSatisfy { $0.code == RefusalCode.busy.rawValue })
        #expect(refused.allSatisfy { $0.sentence.contains(" 5 commands in a second") })
        #expect(refusals(bus, to: second).isEmpty)
        bus.pass(1.1)
        command(.dismiss, 8...12, by: viewer, in: &bus)
        #expect(refusals(bus, to: viewer).count == 2)
        expectNothing(in: bus)
    }

    @Test("commands of one process that wait: above its share busy, until one is answered")
    func commandsOfOneProcess() {
        var bus = bus { $0.commands = 6 }
        bus.control(viewer, peer: 77, viewer.hello)
        command(.pause, 1...4, by: viewer, in: &bus)
        #expect(refusals(bus, to: viewer).map(\.request) == [4])
        #expect(
            refusals(bus, to: viewer).allSatisfy {
                $0.sentence.hasPrefix("3 commands wait for answers, 3 of process 77")
            }
        )
        command(.pause, 1...1, by: second, in: &bus)
        #expect(refusals(bus, to: second).isEmpty)
        for client in [worker, other] {
            answer(deliveries(bus, to: client)[0].delivery, by: client, in: &bus)
        }
        command(.pause, 5...6, by: viewer, in: &bus)
        #expect(refusals(bus, to: viewer).map(\.request) == [4, 6])
        #expect(bus.machine.commands.count == 4 && bus.machine.commands.deliveryCount == 8)
        bus.pass(3, hearing: [worker, other, viewer, second])
        expectNothing(in: bus)
        command(.pause, 7...9, by: viewer, in: &bus)
        #expect(refusals(bus, to: viewer).count == 2)
    }

    @Test("commands for very many tasks: a process above its looks is busy, others are not")
    func looksOfOneProcess() {
        // The job has two tasks.
        var bus = bus { ($0.looksPerSecond, $0.fewTasks) = (3, 0) }
        for client in [viewer, Client(5, viewer: true)] {
            bus.control(client, peer: 77, client.hello)
            command(.pause, 1...2, by: client, in: &bus)
        }
        command(.pause, 1...1, by: second, in: &bus)
        #expect(refusals(bus, to: viewer).isEmpty && refusals(bus, to: second).isEmpty)
        let refused = refusals(bus, to: Client(5, viewer: true))
        #expect(refused.map(\.request) == [1, 2])
        #expect(refused.allSatisfy { $0.code == RefusalCode.busy.rawValue })
        #expect(refused.allSatisfy { $0.sentence.hasPrefix("For process 77") })
        bus.pass(1.1, hearing: [worker, other, viewer, second])
        command(.pause, 3...3, by: viewer, in: &bus)
        #expect(refusals(bus, to: viewer).isEmpty)
        bus.pass(3, hearing: [worker, other, viewer, second])
        expectNothing(in: bus)
    }

    @Test("a session of many tasks says hello or sends keyframes too often: busy, not taken")
    func looksOfOneSession() {
        var bus = bus { ($0.looksPerSecond, $0.fewTasks) = (1, 0) }
        bus.pass(1.1)
        bus.control(worker, peer: 77, worker.hello)
        #expect(refusals(bus, to: worker).isEmpty)
        bus.control(worker, peer: 77, worker.hello)
        #expect(refusals(bus, to: worker).map(\.code) == [RefusalCode.busy.rawValue])
        let keyframe = { (number: UInt32, report: inout WireReport) in
            report.sequence = UInt64(number) + 1
            report.keyframe = number
            report.keyframeLast = true
        }
        // The first one behind a hello is taken in any case.
        bus.report(worker) {
            keyframe(1, &$0)
            $0.descriptions = [worker.description(1, "Job")]
        }
        bus.report(worker) { keyframe(2, &$0) }
        #expect(bus.machine.tree.knows(worker.task(1)))
        bus.pass(1.1, hearing: [worker, other, viewer, second])
        bus.report(worker) { keyframe(3, &$0) }
        #expect(!bus.machine.tree.knows(worker.task(1)))
    }

    @Test("whoever asked or is asked leaves: nothing is remembered of their commands")
    func leaving() {
        var bus = bus()
        command(.cancel, 1...10, by: viewer, in: &bus)
        #expect(bus.machine.commands.deliveryCount == 20)
        bus.control(viewer, .goodbye(WireGoodbye()))
        bus.control(other, .goodbye(WireGoodbye()))
        #expect(bus.machine.commands.deliveryCount == 10)
        // Those who are asked may still accept: the task is being cancelled until they say no.
        #expect(bus.machine.commands.count == 10)
        bus.pass(3, hearing: [worker, second])
        expectNothing(in: bus)
    }

    @Test("a request to stop that nobody waits for is not remembered")
    func nobodyWaits() {
        var bus = bus()
        let job = worker.description(1, "Job")
        bus.control(worker, worker.endings(2, [worker.ending(job, .failed)]))
        bus.pass()
        #expect(deliveries(bus, to: other).map(\.verb) == [.cancel])
        expectNothing(in: bus)
        answer(deliveries(bus, to: other)[0].delivery, by: other, in: &bus)
        expectNothing(in: bus)
    }
}
