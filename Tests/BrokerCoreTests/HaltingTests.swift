import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite("What works below a task that stops")
struct HaltingTests {
    let parent = Client(1)
    let child = Client(3)
    let late = Client(4)
    let viewer = Client(2, viewer: true)

    /// A job of `parent` with a child of `child`, a ticket that nobody has taken, and `late`, who
    /// has nothing yet.
    private func running() -> Bus {
        var bus = Bus()
        for client in [parent, child, late, viewer] { bus.control(client, client.hello) }
        bus.report(parent) {
            $0.sequence = 1
            $0.descriptions = [
                parent.description(1, "Backup"),
                parent.description(2, "Part", parent: parent.task(1), isTicket: true),
            ]
        }
        bus.report(child) {
            $0.sequence = 1
            $0.descriptions = [child.description(1, "Upload", parent: parent.task(1))]
        }
        bus.pass()
        return bus
    }

    private func cancel(_ target: TaskID, in bus: inout Bus) {
        var command = WireCommandRequest()
        command.request = 77
        command.verb = .cancel
        command.target = WireTaskRef(target)
        bus.control(viewer, .command(command))
    }

    private func answer(_ client: Client, _ outcome: WireOutcome, in bus: inout Bus) {
        var answer = WireCommandAnswer()
        answer.outcome = outcome
        answer.delivery = deliveries(bus, client).last?.delivery ?? 0
        bus.control(client, .commandAnswer(answer))
    }

    private func deliveries(_ bus: Bus, _ client: Client) -> [WireCommandDelivery] {
        bus.answers(to: client).compactMap {
            if case .command(let delivery) = $0 { delivery } else { nil }
        }
    }

    private func begin(_ index: UInt64, of client: Client, below: TaskID, in bus: inout Bus) {
        bus.report(client) {
            $0.sequence = index
            $0.descriptions = [client.description(index, "Late", parent: below)]
        }
        bus.pass()
    }

    private func redeem(_ ticket: TaskID, _ client: Client, in bus: inout Bus) {
        bus.control(client, .redemption(of: ticket))
    }

    @Test("a child begun below a task that is being cancelled: its session is told, once")
    func lateChild() {
        var bus = running()
        cancel(parent.task(1), in: &bus)
        answer(parent, .accepted, in: &bus)
        begin(1, of: late, below: parent.task(1), in: &bus)
        bus.pass(1, hearing: [parent, child, late])
        #expect(deliveries(bus, late).map(\.verb) == [.cancel])
        #expect(deliveries(bus, late).map(\.index) == [[1]])
    }

    @Test("a ticket that hangs from itself, by what its owner says, is taken: nothing hangs")
    func circle() {
        var bus = running()
        let ticket = late.description(2, "Part", parent: late.task(5), isTicket: true)
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [ticket]
        }
        // By then it counts as a job of its own, as nobody has said what is above it.
        bus.pass(11, hearing: [parent, child, late, viewer])
        bus.report(late) {
            $0.sequence = 2
            $0.descriptions = [late.description(5, "Above and below", parent: late.task(2))]
        }
        bus.pass()
        redeem(late.task(2), child, in: &bus)
        bus.pass()
        let isAnswered = bus.answers(to: child).contains {
            if case .binding(let binding) = $0 { binding.kind == .holder } else { false }
        }
        #expect(isAnswered)
        #expect(deliveries(bus, child).isEmpty)
    }

    @Test("a grandchild: told as well, unless its session owns the parent and so knows")
    func lateGrandchild() {
        var bus = running()
        cancel(parent.task(1), in: &bus)
        begin(1, of: late, below: child.task(1), in: &bus)
        begin(2, of: late, below: late.task(1), in: &bus)
        #expect(deliveries(bus, late).map(\.index) == [[1]])
        begin(2, of: child, below: child.task(1), in: &bus)
        #expect(deliveries(bus, child).count == 1)
        begin(3, of: child, below: parent.task(1), in: &bus)
        #expect(deliveries(bus, child).map(\.index) == [[1], [3]])
    }

    @Test("a ticket redeemed below a task that is being cancelled: told with the binding")
    func lateRedemption() {
        var bus = running()
        cancel(parent.task(1), in: &bus)
        redeem(parent.task(2), late, in: &bus)
        #expect(deliveries(bus, late).map(\.index) == [[1]])
        begin(1, of: late, below: parent.task(2), in: &bus)
        #expect(deliveries(bus, late).count == 1)
    }

    @Test("a ticket cancelled before it began: whoever takes it later is told")
    func cancelledTicket() {
        var bus = running()
        cancel(parent.task(2), in: &bus)
        #expect(bus.row(parent.task(2), asking: viewer)?.progress.state == .cancelled)
        redeem(parent.task(2), late, in: &bus)
        #expect(deliveries(bus, late).map(\.index) == [[1]])
    }

    @Test("a session that is not welcomed yet: told after its welcome")
    func beforeTheWelcome() {
        var bus = running()
        let slow = Client(5)
        cancel(parent.task(1), in: &bus)
        bus.isJournalQuick = false
        bus.control(slow, slow.hello)
        begin(1, of: slow, below: parent.task(1), in: &bus)
        #expect(bus.answers(to: slow).isEmpty)
        bus.finishJournal()
        let isWelcome = bus.answers(to: slow).map { if case .welcome = $0 { true } else { false } }
        #expect(isWelcome.first == true)
        #expect(deliveries(bus, slow).map(\.index) == [[1]])
    }

    @Test("nobody wanted to cancel: what begins afterwards is not told")
    func refused() {
        var bus = running()
        cancel(parent.task(1), in: &bus)
        answer(parent, .refused, in: &bus)
        answer(child, .unsupported, in: &bus)
        begin(1, of: late, below: parent.task(1), in: &bus)
        #expect(deliveries(bus, late).isEmpty)
    }

    @Test("a task fails: what other sessions do below it is asked to stop, also what comes later")
    func failedParent() {
        var bus = running()
        let description = parent.description(1, "Backup")
        bus.control(parent, parent.endings(2, [parent.ending(description, .failed)]))
        bus.pass()
        #expect(deliveries(bus, child).map(\.index) == [[1]])
        begin(1, of: late, below: child.task(1), in: &bus)
        #expect(deliveries(bus, late).map(\.index) == [[1]])
        #expect(deliveries(bus, parent).isEmpty)
    }

    @Test("cancelled on request: nobody is asked a second time when the task has ended")
    func notTwice() {
        var bus = running()
        cancel(parent.task(1), in: &bus)
        answer(parent, .accepted, in: &bus)
        let description = parent.description(1, "Backup")
        bus.control(parent, parent.endings(2, [parent.ending(description, .cancelled)]))
        bus.pass()
        #expect(deliveries(bus, child).count == 1)
    }

    @Test("a task succeeds or is lost: what is below it goes on")
    func otherEndings() {
        var bus = running()
        let description = parent.description(1, "Backup")
        bus.control(parent, parent.endings(2, [parent.ending(description, .succeeded)]))
        bus.pass()
        begin(1, of: late, below: parent.task(1), in: &bus)
        #expect(deliveries(bus, child).isEmpty && deliveries(bus, late).isEmpty)
        var other = running()
        other.pass(11, hearing: [child, late, viewer])
        begin(1, of: late, below: parent.task(1), in: &other)
        #expect(other.row(parent.task(1), asking: viewer)?.progress.state == .lost)
        #expect(deliveries(other, child).isEmpty && deliveries(other, late).isEmpty)
    }

    @Test("an owner that has said its success is not asked, only those that it waits for")
    func ownerThatHasEnded() {
        var bus = running()
        let description = parent.description(1, "Backup")
        bus.control(parent, parent.endings(2, [parent.ending(description, .succeeded)]))
        bus.pass()
        cancel(parent.task(1), in: &bus)
        #expect(deliveries(bus, parent).isEmpty)
        #expect(deliveries(bus, child).map(\.index) == [[1]])
        answer(child, .accepted, in: &bus)
        let outcomes = bus.answers(to: viewer).compactMap {
            if case .commandResult(let result) = $0 { result.outcome } else { nil }
        }
        #expect(outcomes == [.accepted])
    }

    @Test("a command about a task of this very moment: it is known")
    func newTask() {
        var bus = running()
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [late.description(1, "New")]
        }
        cancel(late.task(1), in: &bus)
        #expect(deliveries(bus, late).map(\.index) == [[1]])
    }
}
