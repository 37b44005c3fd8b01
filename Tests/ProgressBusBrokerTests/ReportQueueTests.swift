import BusProtocol
import TaskTree
import Testing
import ZeroMQ

@testable import ProgressBusBroker

@Suite("Report messages on their way to the loop")
struct ReportQueueTests {
    private let wake: WakeUp
    private let queue: ReportQueue

    init() throws {
        wake = try WakeUp()
        queue = try ReportQueue(wake: wake)
    }

    private func heartbeats(_ count: Int) -> [ReportQueue.Heartbeat] {
        (0..<count).map { number in
            ReportQueue.Heartbeat(
                contents: Frame.EmptyReport(credential: .random(), sequence: 1),
                arrived: Moment(nanoseconds: Int64(number))
            )
        }
    }

    private func isSignalled(_ wakeUp: WakeUp) throws -> Bool {
        var items = [PollItem.descriptor(wakeUp.descriptor)]
        return try poll(&items, timeout: 0) == 1
    }

    @Test("heartbeats alone wake nobody until there are many")
    func gathering() throws {
        #expect(queue.add([], heartbeats(ReportQueue.heartbeatsHeld - 1)))
        #expect(try !isSignalled(wake))
        #expect(queue.add([], heartbeats(1)))
        #expect(try isSignalled(wake))
        #expect(queue.take().heartbeats.count == ReportQueue.heartbeatsHeld)
        #expect(queue.take().heartbeats.isEmpty)
    }

    @Test("a report wakes at once, and the heartbeats before it are there")
    func report() throws {
        #expect(queue.add([], heartbeats(3)))
        #expect(queue.add([[[1, 2, 3]]]))
        #expect(try isSignalled(wake))
        let waiting = queue.take()
        #expect(waiting.heartbeats.map(\.arrived.nanoseconds) == [0, 1, 2])
        #expect(waiting.messages == [[[1, 2, 3]]])
    }

    @Test("a flood of heartbeats finds the end of the room, and room again when they are taken")
    func bounded() throws {
        var added = 0
        while queue.add([], heartbeats(64)), added < 1_000_000 { added += 64 }
        #expect(added < 4_096)
        #expect(try !isSignalled(queue.room))
        #expect(!queue.hasRoom)
        queue.finished(heartbeats: queue.take().heartbeats.count)
        #expect(try isSignalled(queue.room))
        queue.room.drain()
        #expect(queue.hasRoom, "whoever has missed the signal sees it all the same")
        #expect(queue.add([], heartbeats(1)))
    }

    @Test("who hurries wakes the thread that rests, and nobody else")
    func hurry() throws {
        queue.hurry()
        #expect(try !isSignalled(queue.room))
        queue.rests(true)
        queue.hurry()
        #expect(try isSignalled(queue.room))
        queue.room.drain()
        queue.rests(false)
        queue.hurry()
        #expect(try !isSignalled(queue.room))
    }
}
