import BusProtocol
import TaskTree

@testable import ProgressBus

/// A follower without sockets that takes whatever a broker might send.
struct FollowerStage {
    private var machine: FollowerMachine
    private var now = Moment(nanoseconds: 1_000_000_000)

    private static let job = TaskID(index: 1, session: SessionID(rawValue: 0x0123_4567_89ab_cdef))
    private static let topics: [Topic] = [
        .totals, .attention, .board(page: 0), .job(job), .log(job), .children(job, block: 0),
        .states(job, block: 0), .board(page: 1),
    ]
    private static let interests: [Interest] = [
        .board(depth: nil, messages: true),
        .task(TaskID(index: 2, session: job.session), job: job, depth: 2),
        .viewport([
            .board(page: 0), .children(of: job, block: 0), .states(of: job, block: 0),
            .messages(of: job),
        ]),
    ]

    private init(isOnce: Bool) {
        var hello = WireHello()
        hello.session = 5
        hello.viewer = true
        machine = FollowerMachine(
            hello: hello,
            credential: Array(repeating: 7, count: 16),
            isOnce: isOnce,
            seed: 1,
            at: now
        )
        for (number, interest) in Self.interests.enumerated() {
            machine.follow(UInt64(number), interest, at: now)
        }
        machine.ask(1, .find(TaskSelector("id:x")), deadline: nil)
        machine.ask(2, .command(.cancel, Self.job, timeout: .seconds(1)), deadline: nil)
    }

    static func play(_ input: [UInt8]) {
        var stage = FollowerStage(isOnce: input.count % 8 == 0)
        var welcome = WireBrokerFrame()
        // The epoch of the vectors.
        welcome.epoch = 0x1122_3344_5566_7788
        welcome.welcome.heartbeat = 1_000
        welcome.welcome.tick = 50
        stage.machine.receive(welcome, at: stage.now)
        stage.turn()
        for frame in FrameSequence(input) {
            stage.take(frame)
            stage.now = stage.now.advanced(bySeconds: frame.pause)
            stage.turn()
        }
        stage.now = stage.now.advanced(bySeconds: 5)
        stage.turn()
        _ = stage.machine.goodbye()
    }

    private mutating func take(_ frame: FrameSequence.Element) {
        if FrameHeader.Kind(rawValue: frame.kind) == .update {
            guard let update = try? Frame.decodeUpdate(frame.bytes) else { return }
            let topic = Self.topics[frame.selector % Self.topics.count]
            machine.receive(topic: topic.name, update, at: now)
        } else if let broker = try? Frame.decodeBroker(frame.bytes) {
            machine.receive(broker, at: now)
        }
    }

    /// One round of the loop; what the follower says keeps the protocol.
    private mutating func turn() {
        machine.tick(at: now)
        for action in machine.takeActions() {
            switch action {
            case .send(let frame):
                do {
                    _ = try Frame.decodeClient(Frame.encode(frame))
                } catch {
                    promise(false, "\(error) \(frame)")
                }
            case .subscribe(let name), .unsubscribe(let name):
                promise(Topic(name: name) != nil, "the topic \(name)")
            case .answer:
                break
            }
        }
        for number in Self.interests.indices {
            _ = machine.nextValue(for: UInt64(number), at: now)
        }
        promise(machine.nextTime(after: now) >= now, "the next turn lies in the past")
    }
}
