import TaskTree
import TestSupport
import Testing

/// Numbers by task id, against a dictionary.
@Suite struct TaskTableTests {
    @Test(arguments: 1...10)
    func `a table agrees with a dictionary, whatever is asked before`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var table = TaskTable()
        var expected: [TaskID: Int32] = [:]
        for step in 0..<20_000 {
            let id = Self.someID(&random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                table[id] = Int32(step)
                expected[id] = Int32(step)
            case 1:
                table[id] = nil
                expected[id] = nil
            default:
                #expect(table[id] == expected[id], "seed \(seed) step \(step) \(id)")
            }
        }
        #expect(table.count == expected.count, "seed \(seed)")
        for session in Set(expected.keys.map(\.session)).union([SessionID(rawValue: 99)]) {
            var numbers: [Int32] = []
            table.forEach(of: session) { numbers.append($0) }
            let theirs = expected.filter { $0.key.session == session }.map(\.value)
            #expect(numbers.sorted() == theirs.sorted(), "seed \(seed), session \(session)")
            #expect(table.hasAny(of: session) != theirs.isEmpty, "seed \(seed)")
        }
        let all = Dictionary(uniqueKeysWithValues: table.all.map { ($0.id, $0.number) })
        #expect(all == expected, "seed \(seed)")
    }

    @Test func `the last indices that there are have numbers too`() {
        var table = TaskTable()
        for session in [UInt64(0), 1, .max] {
            for index in [UInt64(0), .max - 64, .max] {
                let id = TaskID(index: index, session: SessionID(rawValue: session))
                #expect(table[id] == nil)
                table[id] = 7
                #expect(table[id] == 7)
            }
        }
        #expect(table.count == 9)
    }

    /// Mostly neighbours, of few sessions; now and then one far away.
    private static func someID(_ random: inout SplitMix64) -> TaskID {
        let session = SessionID(rawValue: UInt64.random(in: 1...3, using: &random))
        let index =
            random.oneIn(8)
            ? UInt64.random(in: 0...(.max), using: &random) & ~0xFF
            : UInt64.random(in: 1...300, using: &random)
        return TaskID(index: index, session: session)
    }
}
