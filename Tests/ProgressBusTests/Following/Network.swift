import BusProtocol
import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

/// Carries frames between a follower's machine and a simulated broker, in simulated time.
struct Network {
    var machine: FollowerMachine
    var broker: SimulatedBroker
    var now = Moment(nanoseconds: 1_000_000_000)
    /// Loses, repeats and reorders what comes over updates, and loses answers over control.
    var isFaulty = false
    /// Whether the broker's process runs at all.
    var isBrokerAlive = true
    /// Topics whose snapshots never arrive.
    var withheld: Set<String> = []
    /// What every hello is refused with.
    var helloRefusal: RefusalCode?
    /// What was subscribed to, by name.
    private(set) var subscribed: Set<String> = []
    /// Frames that went out over control.
    private(set) var sent: [WireClientFrame] = []
    private(set) var answers: [UInt64: InquiryResult] = [:]
    private var random: SplitMix64
    private var lastBeats: Moment
    private var late: [(String, WireUpdate)] = []

    init(broker: SimulatedBroker = SimulatedBroker(), seed: UInt64 = 1, isOnce: Bool = false) {
        var hello = WireHello()
        hello.session = 5
        hello.viewer = true
        machine = FollowerMachine(
            hello: hello,
            credential: Array(repeating: 7, count: 16),
            isOnce: isOnce,
            seed: seed,
            at: now
        )
        self.broker = broker
        random = SplitMix64(seed: seed)
        lastBeats = now
    }

    /// Lets time pass in steps of 10 ms.
    mutating func run(seconds: Double, each: (inout SimulatedBroker) -> Void = { _ in }) {
        let end = now.advanced(bySeconds: seconds)
        while now < end {
            now = now.advanced(bySeconds: 0.01)
            broker.time += 0.01
            each(&broker)
            if isBrokerAlive {
                for (name, update) in broker.tick() { deliver(name, update) }
                if now.seconds(since: lastBeats) >= 1 {
                    lastBeats = now
                    for (name, update) in broker.beats() { deliver(name, update) }
                }
            }
            turn()
        }
    }

    /// The broker publishes what has changed, at once.
    mutating func publish() {
        for (name, update) in broker.tick() { deliver(name, update) }
        turn()
    }

    /// One round of the follower's loop.
    mutating func turn() {
        machine.tick(at: now)
        for action in machine.takeActions() { perform(action) }
    }

    /// The follower's process is stopped: what is published meanwhile is lost, but for the first.
    mutating func sleep(seconds: Double, each: (inout SimulatedBroker) -> Void) {
        let end = now.advanced(bySeconds: seconds)
        while now < end {
            now = now.advanced(bySeconds: 0.01)
            broker.time += 0.01
            each(&broker)
            _ = broker.tick()
        }
    }

    /// Connections break: libzmq subscribes again by itself when they are back.
    mutating func reconnect() {
        for name in subscribed.sorted() {
            if let (name, beat) = broker.subscribe(name) { deliver(name, beat) }
        }
    }

    private func refusal(_ code: RefusalCode) -> WireBrokerFrame {
        var frame = WireBrokerFrame()
        frame.epoch = broker.epoch
        frame.refusal.code = code.rawValue
        frame.refusal.sentence = "No: \(code.name)."
        return frame
    }

    private mutating func perform(_ action: FollowerMachine.Action) {
        switch action {
        case .subscribe(let name):
            subscribed.insert(name)
            guard isBrokerAlive, let (name, beat) = broker.subscribe(name) else { return }
            deliver(name, beat)
        case .unsubscribe(let name):
            subscribed.remove(name)
            if isBrokerAlive { broker.unsubscribe(name) }
        case .send(let frame):
            guard isBrokerAlive else {
                machine.notSent(frame, at: now)
                return
            }
            sent.append(frame)
            if let code = helloRefusal, case .hello? = frame.body {
                machine.receive(refusal(code), at: now)
                return
            }
            guard let answer = broker.answer(frame) else { return }
            if isFaulty, random.oneIn(10) { return }
            if case .snapshot(let chunk)? = answer.body, withheld.contains(chunk.topic) { return }
            machine.receive(answer, at: now)
        case .answer(let id, let result):
            answers[id] = result
        }
    }

    private mutating func deliver(_ name: String, _ update: WireUpdate) {
        // What libzmq filters out never arrives.
        guard subscribed.contains(name) else { return }
        guard isFaulty else {
            machine.receive(topic: name, update, at: now)
            return
        }
        if random.oneIn(5) { return }
        if random.oneIn(6) {
            late.append((name, update))
            return
        }
        machine.receive(topic: name, update, at: now)
        if random.oneIn(6) { machine.receive(topic: name, update, at: now) }
        if random.oneIn(3), !late.isEmpty {
            let (name, update) = late.removeFirst()
            machine.receive(topic: name, update, at: now)
        }
    }
}

extension Network {
    /// The next board for this consumer, `nil` if there is nothing new.
    mutating func board(_ id: UInt64) -> Board? {
        guard case .board(let board)? = machine.nextValue(for: id, at: now) else { return nil }
        return board
    }

    /// The next board for this consumer, which must be there.
    mutating func requireBoard(_ id: UInt64) throws -> Board {
        let board = board(id)
        return try #require(board)
    }

    /// Follows the board and runs until it is there.
    mutating func followBoard(_ id: UInt64 = 1, depth: Int? = 0) {
        machine.follow(id, .board(depth: depth, messages: false), at: now)
        run(seconds: 0.5)
    }

    /// The next picture for the first consumer, `nil` if there is nothing new.
    mutating func picture() -> ViewportUpdate? {
        guard case .viewport(let picture)? = machine.nextValue(for: 1, at: now) else { return nil }
        return picture
    }

    /// The next picture for the first consumer, which must be there.
    mutating func requirePicture() throws -> ViewportUpdate {
        let picture = picture()
        return try #require(picture)
    }

    /// Follows these parts and runs until they are there.
    mutating func followPicture(_ parts: Set<ViewportPart>) {
        machine.follow(1, .viewport(parts), at: now)
        run(seconds: 0.5)
    }
}
