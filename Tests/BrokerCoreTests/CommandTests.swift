import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct CommandTests {
    let parent = Client(1)
    let child = Client(3)
    let viewer = Client(2, viewer: true)

    private func running() -> Bus {
        var bus = Bus()
        for client in [parent, child, viewer] { bus.control(client, client.hello) }
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [
                parent.description(1, "Backup"),
                parent.description(2, "Scan", parent: parent.task(1)),
            ]
        }
        bus.report(child) {
            $0.sequence = 1
            $0.descriptions = [
                child.description(1, "Upload", parent: parent.task(1)),
                child.description(2, "File", parent: child.task(1)),
            ]
        }
        bus.pass()
        return bus
    }

    private func command(_ verb: WireVerb, _ target: TaskID) -> WireClientFrame.OneOf_Body {
        var command = WireCommandRequest()
        command.request = 77
        command.verb = verb
        command.target = WireTaskRef(target)
        command.timeout = 2_000
        return .command(command)
    }

    private func delivery(_ bus: Bus, _ client: Client) -> WireCommandDelivery? {
        bus.answers(to: client).compactMap {
            if case .command(let delivery) = $0 { delivery } else { nil }
        }.last
    }

    private func results(_ bus: Bus) -> [WireCommandResult] {
        bus.answers(to: viewer).compactMap {
            if case .commandResult(let result) = $0 { result } else { nil }
        }
    }

    @Test func aCancelReachesEverySessionBelowOnceAndAllAnswersComeBack() throws {
        var bus = running()
        bus.control(viewer, command(.cancel, parent.task(1)))
        let toParent = try #require(delivery(bus, parent))
        let toChild = try #require(delivery(bus, child))
        #expect(toParent.index == [1], "the topmost task is enough: the session knows its own")
        #expect(toChild.index == [1])
        bus.pass()
        #expect(bus.row(parent.task(1), asking: viewer)?.progress.state == .cancelling)

        var answer = WireCommandAnswer()
        answer.outcome = .accepted
        answer.delivery = toParent.delivery
        bus.control(parent, .commandAnswer(answer))
        #expect(results(bus).map(\.last) == [false])
        answer.delivery = toChild.delivery
        bus.control(child, .commandAnswer(answer))
        #expect(results(bus).map(\.last) == [false, true])
        #expect(results(bus).map(\.asked) == [2, 2])
    }

    @Test(
        "a session that leaves before it has answered: accepted if it was cancelled, else gone",
        arguments: [(WireStatedState.cancelled, WireOutcome.accepted), (.succeeded, .gone)]
    )
    func leavesAtOnce(state: WireStatedState, outcome: WireOutcome) {
        var bus = running()
        bus.control(viewer, command(.cancel, child.task(1)))
        let upload = child.description(1, "Upload", parent: parent.task(1))
        let file = child.description(2, "File", parent: child.task(1))
        bus.control(
            child,
            child.endings(2, [child.ending(file, state), child.ending(upload, state)])
        )
        bus.control(child, .goodbye(WireGoodbye()))
        bus.pass(5, hearing: [parent, viewer])
        #expect(results(bus).map(\.outcome) == [outcome])
    }

    @Test("a command between Who and welcome: delivered once, after the welcome")
    func heldUntilTheWelcome() throws {
        var bus = running()
        // Its silence makes it lost, its next word live again: it is asked to say hello.
        bus.pass(11, hearing: [viewer, parent])
        bus.control(child, .heartbeat(WireHeartbeat()))
        guard case .who? = bus.answers(to: child).last else {
            Issue.record("it is asked for a hello")
            return
        }
        bus.control(viewer, command(.pause, child.task(1)))
        #expect(delivery(bus, child) == nil)
        bus.control(child, child.hello)
        let held = try #require(delivery(bus, child))
        #expect(held.index == [1])
        bus.control(child, child.hello)
        #expect(
            bus.answers(to: child).count {
                if case .command = $0 { true } else { false }
            } == 1
        )
        var answer = WireCommandAnswer()
        answer.delivery = held.delivery
        answer.outcome = .accepted
        bus.control(child, .commandAnswer(answer))
        #expect(results(bus).map(\.outcome) == [.accepted])
    }

    @Test("a command to a session that a new broker waits for: gone when that is known")
    func heldAndGone() {
        var bus = running().restarted()
        bus.control(viewer, viewer.hello)
        bus.control(viewer, command(.pause, parent.task(1)))
        #expect(results(bus).isEmpty)
        bus.pass(2.5, hearing: [viewer])
        #expect(results(bus).map(\.outcome) == [.noAnswer])
    }

    @Test func whoDoesNotAnswerIsNamedAfterTheTimeout() {
        var bus = running()
        bus.control(viewer, command(.pause, child.task(1)))
        bus.pass(2.5, hearing: [viewer, parent, child])
        #expect(results(bus).map(\.outcome) == [.noAnswer])
        #expect(results(bus).map(\.process.pid) == [Int64(child.session.rawValue)])
    }

    @Test func anAnswerForSomebodyElsesDeliveryIsIgnored() throws {
        var bus = running()
        bus.control(viewer, command(.cancel, child.task(1)))
        let toChild = try #require(delivery(bus, child))
        var answer = WireCommandAnswer()
        answer.outcome = .accepted
        answer.delivery = toChild.delivery
        bus.control(parent, .commandAnswer(answer))
        #expect(results(bus).isEmpty)
        bus.control(child, .commandAnswer(answer))
        #expect(results(bus).count == 1)
    }

    @Test func aRefusedCancelLeavesTheTaskRunning() throws {
        var bus = running()
        bus.control(viewer, command(.cancel, child.task(1)))
        var answer = WireCommandAnswer()
        answer.outcome = .refused
        answer.text = "in the middle of a commit"
        answer.delivery = try #require(delivery(bus, child)).delivery
        bus.control(child, .commandAnswer(answer))
        bus.pass()
        #expect(bus.row(child.task(1), asking: viewer)?.progress.state == .running)
        #expect(results(bus).map(\.text) == ["in the middle of a commit"])
    }

    @Test func anUnknownTaskIsRefusedInWordsAndARunningOneCannotBeDismissed() {
        var bus = running()
        bus.control(viewer, command(.cancel, TaskID(index: 99, session: parent.session)))
        guard case .refusal(let refusal)? = bus.answers(to: viewer).last else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.request == 77)
        bus.control(viewer, command(.dismiss, parent.task(1)))
        #expect(results(bus).map(\.outcome) == [.refused])
    }
}
