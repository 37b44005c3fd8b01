import TaskTree
import TestSupport
import Testing

/// The beginning of an id as numbers means what it means as text.
@Suite struct TaskIDPrefixTests {
    private func matches(_ prefix: TaskIDPrefix?, _ id: TaskID) -> Bool {
        guard let prefix else { return false }
        return prefix.sessions.contains(id.session.rawValue)
            && prefix.indices.contains { $0.contains(id.index) }
    }

    private func id(_ random: inout SplitMix64) -> TaskID {
        func number() -> UInt64 {
            let bits = Int.random(in: 0..<64, using: &random)
            return max(1, UInt64.random(in: 0...(.max), using: &random) >> UInt64(bits))
        }
        return TaskID(index: number(), session: SessionID(rawValue: number()))
    }

    @Test(arguments: 1...10)
    func `numbers agree with text`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var ids = (0..<200).map { _ in id(&random) }
        ids.append(TaskID(index: .max, session: SessionID(rawValue: .max)))
        // Some that begin alike.
        ids += ids.prefix(50).map {
            TaskID(index: $0.index, session: SessionID(rawValue: $0.session.rawValue ^ 5))
        }
        ids += ids.prefix(50).map {
            TaskID(index: ($0.index &* 36) | 1, session: $0.session)
        }
        for (place, id) in ids.enumerated() {
            let text = id.description
            let length = place == 0 ? text.count : Int.random(in: 1...text.count, using: &random)
            let beginning = String(text.prefix(length))
            let prefix = TaskIDPrefix(beginning)
            for other in ids {
                #expect(
                    matches(prefix, other) == other.description.hasPrefix(beginning),
                    "\(beginning) \(other)"
                )
            }
        }
    }

    @Test(
        arguments: [
            "", "-", "0", "01", "2S", "a b", "+1", "1-w", "1-g", "1--", "1-0-", "ä", "1_",
            "zzzzzzzzzzzzz", "10000000000000", "1-00000000000000",
        ]
    )
    func `what no id begins with has no numbers`(text: String) {
        #expect(TaskIDPrefix(text) == nil)
    }

    @Test func `a table gives the first ids in order`() {
        var table = TaskTable()
        var all: [TaskID] = []
        let first: UInt64 = 36 * 36 * 36 * 36 * 36
        for session in [9, 3, 5] as [UInt64] {
            for index in first..<first + 3_000 {
                let id = TaskID(index: index, session: SessionID(rawValue: session))
                table[id] = Int32(all.count)
                all.append(id)
            }
        }
        for text in ["100000", "10000", "1000a", "100000-0000", "1001zz-0000000000005", "zzzzzz"] {
            let expected = all.filter { $0.description.hasPrefix(text) }.sorted().prefix(20)
            let found = TaskIDPrefix(text).map { table.ids(beginningWith: $0, limit: 20) } ?? []
            #expect(found == Array(expected), "\(text)")
        }
        for id in all where id.session.rawValue == 3 { table[id] = nil }
        let left = TaskIDPrefix("100000-").map { table.ids(beginningWith: $0, limit: 20) }
        #expect(left?.map(\.session.rawValue) == [5, 9])
    }
}
