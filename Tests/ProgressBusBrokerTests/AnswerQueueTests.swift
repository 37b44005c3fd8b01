import BrokerCore
import Testing

@testable import ProgressBusBroker

@Suite("Answers that wait for their viewers")
struct AnswerQueueTests {
    private let route = Route(bytes: [1])

    @Test("a viewer that takes them slowly while more come: what it has taken is not held")
    func slowViewer() {
        var queue = AnswerQueue()
        for number in 0..<10 { _ = queue.add([UInt8(number)], for: route) }
        for number in 0..<100_000 {
            #expect(queue.next(for: route) == [UInt8(truncatingIfNeeded: number)])
            queue.removeNext(for: route)
            _ = queue.add([UInt8(truncatingIfNeeded: number + 10)], for: route)
            #expect(queue.held < 200)
        }
        for _ in 0..<10 { queue.removeNext(for: route) }
        #expect(queue.isEmpty && queue.held == 0)
    }

    @Test("as many bytes as may wait: no more are kept, and all of them again when they have gone")
    func bound() {
        var queue = AnswerQueue()
        let frame = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<2 {
            for number in 0..<16 {
                let isKept = queue.add(frame, for: Route(bytes: [UInt8(number % 3)]))
                #expect(isKept)
            }
            let isKept = queue.add([1], for: route)
            #expect(!isKept)
            for number in UInt8(0)..<3 { queue.forget(Route(bytes: [number])) }
            #expect(queue.isEmpty)
        }
    }
}
