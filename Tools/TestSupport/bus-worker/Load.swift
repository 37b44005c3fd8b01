import Foundation
import ProgressBus
import Synchronization

/// Many tasks that change often, or not at all.
enum Load {
    static func busy(_ arguments: [String]) async {
        let numbers = arguments.compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] > 0, numbers[1] >= 0 else { exit(64) }
        let (count, hertz) = (numbers[0], numbers[1])
        let bus = BusClient()
        let parent = arguments.contains("--children") ? bus.beginJob("Load", key: "load") : nil
        let tasks = (1...count).map { number in
            let title = label(number, of: count)
            return parent?.beginChild(title, total: 10_000)
                ?? bus.beginJob(title, key: title, total: 10_000)
        }
        let input = InputEnd()
        let period: Duration = hertz > 0 ? .seconds(1) / hertz : .seconds(1)
        var next = ContinuousClock.now
        while !input.isReached {
            if hertz > 0 {
                for task in tasks { task.advance() }
            }
            next = max(next + period, .now)
            try? await Task.sleep(until: next)
        }
    }

    static func still(_ arguments: [String]) async {
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else { exit(64) }
        let bus = BusClient()
        for number in 1...count {
            let title = label(number, of: count)
            let job = bus.beginJob(title, key: title, total: 100)
            job.complete(number % 100)
            job.fail("the disk is full")
        }
        _ = await bus.sync()
        let input = InputEnd()
        while !input.isReached { try? await Task.sleep(for: .milliseconds(100)) }
    }

    /// A title in which numbers sort as text; tests and measurements look for its last two words.
    static func label(_ number: Int, of count: Int) -> String {
        let digits = max(2, String(count).count)
        return "Sort task " + String(repeating: "0", count: digits - String(number).count)
            + "\(number)"
    }
}

/// Learns when standard input has ended.
final class InputEnd: Sendable {
    private let isOver = Atomic(false)

    init() {
        Thread.detachNewThread { [self] in
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            isOver.store(true, ordering: .relaxed)
        }
    }

    var isReached: Bool { isOver.load(ordering: .relaxed) }
}
