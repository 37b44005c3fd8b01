import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("A follower whose hello is refused")
struct RefusedHelloTests {
    private func refused(_ code: RefusalCode, isOnce: Bool = false) -> Network {
        var network = Network(isOnce: isOnce)
        network.helloRefusal = code
        return network
    }

    private func error(_ delivery: Delivery?) -> FollowError? {
        if case .failed(let error)? = delivery { error } else { nil }
    }

    private func error(_ result: InquiryResult?) -> FollowError? {
        if case .failed(let error)? = result { error } else { nil }
    }

    @Test(
        "a question says the broker's own sentence when its time is over",
        arguments: [RefusalCode.busy, .stopping]
    )
    func question(code: RefusalCode) {
        var network = refused(code)
        network.machine.ask(
            1,
            .find(TaskSelector("a")),
            deadline: network.now.advanced(bySeconds: 1)
        )
        network.run(seconds: 0.9)
        #expect(network.answers.isEmpty, "there may be room in time")
        network.run(seconds: 0.2)
        #expect(error(network.answers[1]) == FollowError(.busy, "No: \(code.name)."))
        #expect(network.machine.silence == FollowError(.busy, "No: \(code.name)."))
    }

    @Test("a question without a time waits for a broker, not for room in one")
    func patientQuestion() {
        var network = refused(.busy)
        network.machine.ask(1, .find(TaskSelector("a")), deadline: nil)
        network.run(seconds: 0.1)
        #expect(error(network.answers[1])?.code == .busy)
        #expect(network.machine.inquiries.isEmpty)
    }

    @Test("who has no picture is told; with room again the next one who asks gets it")
    func follow() throws {
        var network = refused(.busy)
        _ = network.broker.begin("a")
        network.machine.follow(1, .board(depth: 0, messages: false), at: network.now)
        network.run(seconds: 0.1)
        #expect(error(network.machine.nextValue(for: 1, at: network.now))?.code == .busy)
        #expect(network.machine.follows.isEmpty)
        network.helloRefusal = nil
        network.run(seconds: 4)
        network.followBoard(2)
        let board = try network.requireBoard(2)
        #expect(board.connection == .live && board.jobs.map(\.title) == ["a"])
    }

    @Test("who has a picture keeps it, asks again every 3 s, and gets the next one")
    func formerPicture() throws {
        var network = Network()
        _ = network.broker.begin("a")
        network.followBoard()
        _ = network.board(1)
        network.broker.restart(epoch: 2)
        network.helloRefusal = .busy
        network.reconnect()
        let before = network.sent.count
        network.run(seconds: 10)
        let hellos = network.sent.dropFirst(before).count {
            if case .hello? = $0.body { true } else { false }
        }
        #expect((3...4).contains(hellos), "\(hellos)")
        let during = try network.requireBoard(1)
        #expect(during.connection == .reconnecting && during.jobs.map(\.title) == ["a"])
        network.helloRefusal = nil
        network.run(seconds: 4)
        let after = try network.requireBoard(1)
        #expect(after.connection == .live)
    }

    @Test(
        "a refusal for good ends all that waits, whatever its time, and hello is not said again",
        arguments: [RefusalCode.sessionTaken, .badCredential, .wrongMajor, .outOfRange]
    )
    func forGood(code: RefusalCode) {
        var network = refused(code)
        network.machine.follow(1, .board(depth: 0, messages: false), at: network.now)
        network.machine.ask(1, .find(TaskSelector("a")), deadline: nil)
        network.run(seconds: 5)
        #expect(error(network.answers[1]) == FollowError(.refused, "No: \(code.name)."))
        #expect(error(network.machine.nextValue(for: 1, at: network.now))?.code == .refused)
        #expect(network.sent.count == 1)
    }
}
