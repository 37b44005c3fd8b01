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

    private func messages(_ count: Int) -> [ReportQueue.Message] {
        (0..<count).map { ReceivedMessage(parts: [[UInt8(truncatingIfNeeded: $0)]]) }
    }

    private func isSignalled(_ wakeUp: WakeUp) throws -> Bool {
        var items = [PollItem.descriptor(wakeUp.descriptor)]
        return try poll(&items, timeout: 0) == 1
    }

    @Test("a report wakes at once, and all are there in their order")
    func report() throws {
        #expect(queue.add(messages(3)))
        #expect(try isSignalled(wake))
        #expect(queue.add(messages(1)))
        #expect(queue.take() == messages(3) + messages(1))
        #expect(queue.take().isEmpty)
    }

    @Test("a flood finds the end of the room, and room again when it has been worked off")
    func bounded() throws {
        var added = 0
        while queue.add(messages(64)), added < 1_000_000 { added += 64 }
        #expect(added < 4_096)
        #expect(try !isSignalled(queue.room))
        #expect(!queue.hasRoom)
        for message in queue.take() { queue.finished(message) }
        #expect(try isSignalled(queue.room))
        queue.room.drain()
        #expect(queue.hasRoom, "whoever has missed the signal sees it all the same")
        #expect(queue.add(messages(1)))
    }
}
