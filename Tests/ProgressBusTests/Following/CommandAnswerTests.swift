import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Answers to a command, as a follower gathers them")
struct CommandAnswerTests {
    private let task = TaskID(index: 1, session: SessionID(rawValue: 5))
    private let start = Moment(nanoseconds: 1_000_000_000)

    private func asking() -> FollowerMachine {
        var machine = FollowerMachine(
            hello: WireHello(),
            credential: [UInt8](repeating: 1, count: 16),
            isOnce: false,
            seed: 1,
            at: start
        )
        machine.receive(frame(.welcome(WireWelcome())), at: start)
        let deadline = start.advanced(bySeconds: 3)
        machine.ask(9, .command(.cancel, task, timeout: .seconds(2)), deadline: deadline)
        machine.tick(at: start)
        return machine
    }

    private func frame(
        _ body: WireBrokerFrame.OneOf_Body,
        epoch: UInt64 = 1
    ) -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = epoch
        frame.body = body
        return frame
    }

    private func result(_ session: UInt64, asked: UInt32, last: Bool = false) -> WireBrokerFrame {
        var result = WireCommandResult()
        result.request = 1
        result.session = session
        result.outcome = .accepted
        result.asked = asked
        result.last = last
        return frame(.commandResult(result))
    }

    private func outcome(_ machine: inout FollowerMachine) -> InquiryResult? {
        for case .answer(9, let result) in machine.takeActions() { return result }
        return nil
    }

    @Test("all answers of 5,000 sessions are there once the last is in")
    func all() {
        var machine = asking()
        for session in 1...UInt64(5_000) {
            machine.receive(result(session, asked: 5_000, last: session == 5_000), at: start)
        }
        guard case .answered(let answers)? = outcome(&machine) else {
            Issue.record("no answer")
            return
        }
        #expect(Set(answers.map(\.session)).count == 5_000)
    }

    @Test("a last answer that never comes: those that came, and one for the silence of the others")
    func silence() {
        var machine = asking()
        machine.receive(result(1, asked: 3), at: start)
        machine.tick(at: start.advanced(bySeconds: 4))
        guard case .answered(let answers)? = outcome(&machine) else {
            Issue.record("no answer")
            return
        }
        #expect(answers.map(\.outcome) == [.accepted, .noAnswer])
        #expect(answers.last?.text.hasPrefix("2 more of 3") == true)
    }

    @Test("the broker is another one: an answer at once, and the command is not sent again")
    func anotherBroker() {
        var machine = asking()
        _ = machine.takeActions()
        machine.receive(frame(.welcome(WireWelcome()), epoch: 2), at: start)
        guard case .failed(let error)? = outcome(&machine) else {
            Issue.record("no answer")
            return
        }
        #expect(error.code == .timedOut)
        machine.tick(at: start.advanced(bySeconds: 0.1))
        let commands = machine.takeActions().filter {
            if case .send(let frame) = $0, case .command = frame.body { true } else { false }
        }
        #expect(commands.isEmpty)
    }
}
