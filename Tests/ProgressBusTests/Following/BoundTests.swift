import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

/// Whatever a broker sends, what a follower makes of it is bounded.
@Suite("A broker that goes on and on")
struct BoundTests {
    private let now = Moment(nanoseconds: 0)
    private var jitter = Jitter(seed: 1)
    private var revision: UInt64 = 0

    @Test("tasks that need attention are those of the last chunk, not of all")
    mutating func attention() {
        var topic = TopicFollower(.attention, isOnce: false, at: now)
        receive(beat(at: 10), in: &topic)
        let ids = (1...UInt64(ProtocolLimits.attentionItems)).map {
            WireTaskRef(SimulatedBroker.id($0))
        }
        for number in 1...20 as ClosedRange<UInt64> {
            var chunk = WireSnapshotChunk()
            chunk.request = number
            chunk.sequence = 10
            chunk.attention = ids
            chunk.cursorBytes = [1]
            chunk.last = number == 20
            _ = topic.snapshotRequest(number, at: now)
            _ = topic.receive(chunk, epoch: 1, at: now, revision: &revision)
        }
        #expect(topic.held?.attention.count == ids.count)
    }

    @Test("updates with very many log lines or ids are not kept while a snapshot is pulled")
    mutating func buffered() {
        var line = WireLogLine()
        line.task = WireTaskRef(SimulatedBroker.id(1))
        let ids = Array(repeating: line.task, count: 1_000)
        for topicName in [Topic.log(SimulatedBroker.id(1)), .attention] {
            var topic = TopicFollower(topicName, isOnce: false, at: now)
            receive(beat(at: 10), in: &topic)
            _ = topic.snapshotRequest(1, at: now)
            var kept = 0
            for number in 11...511 as ClosedRange<UInt64> {
                var update = beat(at: number)
                update.previous = number - 1
                if topicName == .attention {
                    update.attention = ids
                } else {
                    update.logs = Array(repeating: line, count: 1_000)
                }
                receive(update, in: &topic)
                guard case .pulling(let pull) = topic.phase else { break }
                kept = pull.buffer.reduce(0) { $0 + $1.logs.count + $1.attention.count }
            }
            #expect(kept <= TopicFollower.bufferLimit.rows)
        }
    }

    @Test("a task that hangs from one below it is composed once")
    func circle() throws {
        var network = Network()
        let job = network.broker.begin("job")
        let children = (1...20).map { network.broker.begin("child \($0)", below: job) }
        network.broker.change(job) { $0.parent = children[0] }
        network.run(seconds: 0.1)
        network.followBoard(depth: nil)
        let board = try network.requireBoard(1)
        func count(_ task: TaskSnapshot) -> Int { task.children.reduce(1) { $0 + count($1) } }
        #expect(board.jobs.map(count) == [1 + children.count])
    }

    // MARK: - Frames

    private func beat(at sequence: UInt64) -> WireUpdate {
        var update = WireUpdate()
        update.epoch = 1
        update.sequence = sequence
        update.previous = sequence
        return update
    }

    private mutating func receive(_ update: WireUpdate, in topic: inout TopicFollower) {
        _ = topic.receive(update, at: now, jitter: &jitter, revision: &revision)
    }
}
