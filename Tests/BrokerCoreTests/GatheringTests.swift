import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Commands for tasks of which very many have to be looked at to know whom to ask.
@Suite struct GatheringTests {
    private let worker = Client(1)
    private let stranger = Client(3)
    private let viewer = Client(2, viewer: true)
    private let other = Client(4, viewer: true)
    private var everybody: [Client] { [worker, stranger, viewer, other] }

    /// A job of many tasks with one of another session, and a small job.
    private func bus() -> Bus {
        var configuration = CoreConfiguration()
        configuration.looksAtOnce = 10
        configuration.looksPerTick = 100
        var bus = Bus(configuration: configuration)
        for client in everybody { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Great")]
        }
        bus.report(stranger) {
            $0.sequence = 1
            $0.descriptions = [
                stranger.description(1, "part", parent: worker.task(1)),
                stranger.description(2, "Small"),
            ]
        }
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = (2...1_000).map {
                worker.description($0, "part", parent: worker.task(1))
            }
        }
        bus.pass()
        return bus
    }

    private func pause(_ target: TaskID, _ request: UInt64) -> WireClientFrame.OneOf_Body {
        var command = WireCommandRequest()
        command.request = request
        command.verb = .pause
        command.target = WireTaskRef(target)
        return .command(command)
    }

    private func asked(_ client: Client, in bus: Bus) -> [WireCommandDelivery] {
        bus.answers(to: client).compactMap {
            if case .command(let delivery) = $0 { delivery } else { nil }
        }
    }

    private func results(of client: Client, in bus: Bus) -> [WireCommandResult] {
        bus.answers(to: client).compactMap {
            if case .commandResult(let result) = $0 { result } else { nil }
        }
    }

    @Test("they wait until all are found, together, and others do not wait for them")
    func waiting() {
        var bus = bus()
        bus.control(viewer, pause(worker.task(1), 1))
        bus.control(other, pause(worker.task(1), 2))
        bus.control(other, pause(worker.task(1), 3))
        #expect(asked(worker, in: bus).isEmpty && asked(stranger, in: bus).isEmpty)
        #expect(bus.machine.tables["gatherings"] == 1)
        bus.control(viewer, pause(stranger.task(2), 4))
        #expect(asked(stranger, in: bus).map(\.index) == [[2]])
        bus.pass(0.6, hearing: everybody)
        #expect(asked(worker, in: bus).map(\.index) == [[1], [1], [1]])
        #expect(asked(stranger, in: bus).map(\.index) == [[2], [1], [1], [1]])
        for client in [worker, stranger] {
            for delivery in asked(client, in: bus) {
                var answer = WireCommandAnswer()
                answer.delivery = delivery.delivery
                answer.outcome = .accepted
                bus.control(client, .commandAnswer(answer))
            }
        }
        #expect(results(of: viewer, in: bus).map(\.request).sorted() == [1, 1, 4])
        #expect(results(of: other, in: bus).map(\.request).sorted() == [2, 2, 3, 3])
        #expect(results(of: other, in: bus).allSatisfy { $0.asked == 2 })
        #expect(bus.machine.tables["gatherings"] == 0 && bus.machine.tables["commands"] == 0)
    }

    @Test("the time for answers is over before all are found: whoever has asked is told")
    func timeout() {
        var bus = bus()
        var command = WireCommandRequest()
        command.request = 1
        command.verb = .cancel
        command.target = WireTaskRef(worker.task(1))
        command.timeout = 100
        bus.control(viewer, .command(command))
        bus.pass(0.2, hearing: everybody)
        #expect(results(of: viewer, in: bus).map(\.outcome) == [.noAnswer])
        #expect(results(of: viewer, in: bus).map(\.last) == [true])
        bus.pass(1, hearing: everybody)
        #expect(asked(worker, in: bus).isEmpty)
        #expect(bus.machine.tables["gatherings"] == 0 && bus.machine.tables["commands"] == 0)
    }

    @Test("what is asked of a session on its way back is found anew behind its welcome")
    func held() {
        var bus = bus()
        bus.control(viewer, pause(worker.task(1), 1))
        bus.perform(bus.machine.unreachable(stranger.route, now: bus.now))
        bus.pass(0.6, hearing: [worker, viewer, other])
        #expect(asked(stranger, in: bus).isEmpty)
        bus.control(stranger, stranger.hello)
        #expect(asked(stranger, in: bus).isEmpty)
        bus.pass(0.6, hearing: everybody)
        #expect(asked(stranger, in: bus).map(\.index) == [[1]])
    }
}
