import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

@Suite("The table of tasks")
struct SessionTasksTests {
    @Test(
        "Holds what a dictionary holds, whatever comes and goes",
        arguments: 0..<20 as Range<UInt64>
    )
    func asDictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = SessionTasks()
        var dictionary: [UInt64: TaskRecord] = [:]
        var last: UInt64 = 0
        let most = 10 + Int(seed) * 20
        for _ in 0..<5_000 {
            if dictionary.count < most, random.next() % 8 < 5 {
                last += 1 + random.next() % 3
                let record = TaskRecord(title: "task")
                record.begin(last, at: Moment(nanoseconds: 0))
                table.insert(record)
                dictionary[last] = record
            } else {
                let index = last - random.next() % (UInt64(most) + 1) % (last + 1)
                let removed = table.remove(index)
                #expect(removed === dictionary.removeValue(forKey: index), "seed \(seed)")
            }
            let index = random.next() % (last + 2)
            #expect(table[index] === dictionary[index], "seed \(seed), index \(index)")
        }
        #expect(table.count == dictionary.count)
        let indices = table.values.map(\.index).sorted()
        #expect(indices == dictionary.keys.sorted(), "seed \(seed)")
        for index in dictionary.keys { #expect(table[index] === dictionary[index], "seed \(seed)") }
        for index in dictionary.keys { table.remove(index) }
        #expect(table.isEmpty)
        #expect(table.values.first { _ in true } == nil)
    }
}
